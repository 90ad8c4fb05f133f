// Facts about the node type `layout.render`: it draws every size in separate processes, and stops when the call is aborted.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defaultLabelRules } from '@atelier/contract/label-rules.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { callNode, failureOf, filesInMemory } from '../../test/support/nodes.ts'
import { canonicalJson, sha256Hex } from '../platform/canonical-json.ts'
import { type MadeType, packetOf } from './images/marks.ts'
import { createPictureWorkers, type PictureWorkers } from './images/workers.ts'
import { layoutRender } from './layout-render.ts'
import { NodeFailure } from './node-type.ts'

const workers = createPictureWorkers({ most: 2 })
const type = layoutRender(workers)
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

test('a size that the words are too long for is left out, and the others are made', async () => {
  const inputs = { headline: 'Bottles that keep tea hot for a day and water cold for two. '.repeat(3) }
  const { outputs, message } = await callNode(type, { params: { placements: ['320x50', '300x250'] }, inputs })
  expect(outputs.images).toMatchObject([{ name: 'hero-300x250.png' }])
  expect(message).toMatch(/^1 of 2 sizes were made\. The headline does not fit 320×50 .* leave that size out\.$/)
})

test('a size that failed for another reason than its room fails the call, rather than being left out of what is cached', async () => {
  const ended: PictureWorkers = {
    ...workers,
    layout: (job, signal) =>
      job.placement === '320x50' ? Promise.reject(new NodeFailure('The process ended.')) : workers.layout(job, signal),
  }
  const call = callNode(layoutRender(ended), { params: { placements: small }, inputs: { headline: 'Summer sale' } })
  expect(await failureOf(call)).toBe('The process ended.')
})

test('where no size fits it says so of each', async () => {
  const inputs = { headline: 'word '.repeat(50) }
  const call = callNode(type, { params: { placements: ['320x50', '728x90'] }, inputs })
  expect(await failureOf(call)).toMatch(/does not fit 320×50 .* does not fit 728×90 /)
})

test('a file that is no picture is refused', async () => {
  const files = filesInMemory()
  const image = await files.write(Buffer.from('%PDF-1.4 not a picture'), 'image/png')
  const call = callNode(type, { files, params: { placements: small }, inputs: { headline: 'a', image } })
  expect(await failureOf(call)).toMatch(/^The file is no picture/)
})

const madeBy = async (sourceType: MadeType | null) => {
  const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: '#24508c' } })
  const marked = sourceType === null ? picture : picture.withXmp(packetOf(sourceType))
  return marked.jpeg().toBuffer()
}
const rendered = async (sourceType: MadeType | null, inputs: object, params: object = {}) => {
  const files = filesInMemory()
  const image = await files.write(await madeBy(sourceType), 'image/jpeg')
  const given = { files, params: { placements: ['300x250'], ...params } }
  const { outputs } = await callNode(type, { ...given, inputs: { headline: 'Cool', image, ...inputs } })
  return { labels: outputs.labels, image: outputs.image }
}

test('a picture of a model gets the label of its market, in the language of the card; others and elsewhere it is as it was', async () => {
  const plain = await rendered('trainedAlgorithmicMedia', {})
  expect(plain.labels).toEqual([])
  const german = await rendered('trainedAlgorithmicMedia', { market: 'DE', language: 'de-AT' })
  const english = await rendered('trainedAlgorithmicMedia', { market: 'DE' })
  expect([german.labels, english.labels]).toEqual([['eu'], ['eu']])
  expect(new Set([plain, german, english].map(({ image }) => JSON.stringify(image))).size).toBe(3)
  expect(await rendered('trainedAlgorithmicMedia', { market: 'JP' })).toEqual(plain)
  expect(await rendered('trainedAlgorithmicMedia', { market: 'US' })).toEqual(plain)
  const ours = await rendered('algorithmicMedia', {})
  expect(await rendered('algorithmicMedia', { market: 'DE' })).toEqual(ours)
})

test('who says that a made-up person is shown gets the label for that, whatever the picture says', async () => {
  const performer = { performer: true }
  expect((await rendered(null, { market: 'US' }, performer)).labels).toEqual(['us-ny'])
  expect((await rendered('compositeWithTrainedAlgorithmicMedia', { market: 'WW' }, performer)).labels).toEqual([
    'eu',
    'us-ny',
  ])
})

test('with the default rules the implementation is the one those were drawn with; others have one of their own', () => {
  // If you change the default rules, raise `implementation` in images/layout/labels.ts; otherwise the cache returns pictures with
  // old labels.
  expect([sha256Hex(canonicalJson(defaultLabelRules)).slice(0, 12), type.implementation]).toEqual(['bd2699dd6797', '4'])
  const own = [defaultLabelRules.slice(0, 1), []].map((rules) => layoutRender(workers, rules).implementation)
  expect(new Set([...own, type.implementation]).size).toBe(3)
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
