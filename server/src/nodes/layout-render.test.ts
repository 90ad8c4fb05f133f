// Facts about layout.render: it draws in processes, in every size, and ends when told to.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { callNode, failureOf, filesInMemory } from '../../test/support/nodes.ts'
import { createPictureWorkers } from './images/workers.ts'
import { layoutRender } from './layout-render.ts'

const type = layoutRender(createPictureWorkers({ most: 2 }))
const small = ['300x250', '320x50']

test('gives one ad for each size, in their order, as files named after them', async () => {
  const files = filesInMemory()
  const seen: number[] = []
  const { outputs } = await callNode(type, {
    ...{ files, progress: (to) => seen.push(to) },
    params: { placements: small, template: 'offer' },
    inputs: { headline: 'Summer sale', offer: '−30%', action: 'Shop' },
  })
  expect(outputs.images).toMatchObject([
    { name: 'offer-300x250.png', media_type: 'image/png' },
    { name: 'offer-320x50.png', media_type: 'image/png' },
  ])
  expect(Array.isArray(outputs.images) && outputs.images[0]).toEqual(outputs.image)
  const sizes = await Promise.all([...files.all.values()].map(async (bytes) => (await sharp(bytes).metadata()).width))
  expect(sizes.toSorted()).toEqual([300, 320])
  expect(seen).toEqual([0.5, 1])
})

test('a size led to it takes the place of those set', async () => {
  const inputs = { headline: 'Summer sale', placement: '250x250' }
  const { outputs } = await callNode(type, { params: { placements: small, format: 'jpeg' }, inputs })
  expect(outputs.images).toMatchObject([{ name: 'hero-250x250.jpg', media_type: 'image/jpeg' }])
})

test('says in words what does not fit, from the thread it happened in', async () => {
  const inputs = { headline: 'word '.repeat(50), placement: '320x50' }
  expect(await failureOf(callNode(type, { inputs }))).toMatch(/^The headline does not fit 320×50/)
  expect(await failureOf(callNode(type, { inputs: { headline: ' ' } }))).toMatch(/blank/)
})

test('a file that is no picture is refused', async () => {
  const files = filesInMemory()
  const image = await files.write(Buffer.from('%PDF-1.4 not a picture'), 'image/png')
  const call = callNode(type, { files, params: { placements: small }, inputs: { headline: 'a', image } })
  expect(await failureOf(call)).toMatch(/^The file is no picture/)
})

test('an aborted call ends at once, and the next one works', async () => {
  const stop = new AbortController()
  const inputs = { headline: 'Summer sale' }
  const call = callNode(type, { signal: stop.signal, params: { placements: ['1080x1920', '1080x1350'] }, inputs })
  stop.abort()
  await expect(call).rejects.toThrow(/abort/i)
  expect((await callNode(type, { params: { placements: small }, inputs })).outputs.images).toHaveLength(2)
})

test('where the processes cannot begin, calls fail and say why', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-pictures-'))
  await writeFile(join(folder, 'child.mjs'), 'process.send({ broken: "no library for this machine" })')
  const broken = layoutRender(createPictureWorkers({ most: 1, file: pathToFileURL(join(folder, 'child.mjs')) }))
  const call = () => failureOf(callNode(broken, { params: { placements: small }, inputs: { headline: 'a' } }))
  expect(await call()).toBe('Pictures cannot be worked on here: no library for this machine')
  expect(await call()).toBe('Pictures cannot be worked on here: no library for this machine')
  await rm(folder, { recursive: true })
})
