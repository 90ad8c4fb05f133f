// Facts about the node type `image.generate`, against a server that speaks the provider's protocol.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { modelsAt } from '../../test/support/models.ts'
import { callNode, failure, filesInMemory } from '../../test/support/nodes.ts'
import { hangUp, json, type Outside, startOutside, text } from '../../test/support/outside.ts'
import { readConfig } from '../platform/config.ts'
import { imageGenerate } from './image-generate.ts'
import { createPictureWorkers } from './images/workers.ts'
import type { NodeContext } from './node-type.ts'

const workers = createPictureWorkers({ most: 1 })
const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } })
  .png()
  .toBuffer()

function generate(outside: Outside, given: Partial<NodeContext> = {}, allowed: string[] = [], imageModel = 'painter') {
  const type = imageGenerate(modelsAt(outside, 'openai', allowed, imageModel), workers)
  return callNode(type, { inputs: { prompt: 'a flask' }, ...given })
}

test('gives the picture that came with the answer, and costs its price', async () => {
  const outside = await startOutside(json({ data: [{ b64_json: png.toString('base64') }] }))
  const files = filesInMemory()
  const { outputs, credits } = await generate(outside, { files, params: { size: '1024x1536', quality: 'high' } })
  expect(outputs.image).toMatchObject({ media_type: 'image/png', name: 'generated.png' })
  const [kept = Buffer.alloc(0), ...others] = [...files.all.values()]
  expect(others).toEqual([])
  // The files differ, because the origin was written into the metadata of the stored one; the pixels are the same.
  expect(await sharp(kept).raw().toBuffer()).toEqual(await sharp(png).raw().toBuffer())
  expect(credits).toBe(10)
  expect(JSON.parse(outside.seen[0]?.body ?? '')).toEqual({
    ...{ model: 'painter', prompt: 'a flask', n: 1, size: '1024x1536', quality: 'high' },
  })
})

test('fetches the picture from the address in the answer, without the key', async () => {
  const place = await startOutside(text(png, { 'content-type': 'image/png' }))
  const outside = await startOutside(json({ data: [{ url: `${place.url}/p.png` }] }))
  expect((await generate(outside, {}, [`127.0.0.1:${place.port}`])).outputs.image).toMatchObject({
    media_type: 'image/png',
  })
  expect(place.seen[0]?.headers.authorization).toBeUndefined()
})

test('a local provider may hand out pictures from itself', async () => {
  const outside = await startOutside(
    (response, seen) => json({ data: [{ url: `http://${seen.headers.host}/p.png` }] })(response, seen),
    text(png, { 'content-type': 'image/png' }),
  )
  expect((await generate(outside)).outputs.image).toMatchObject({ media_type: 'image/png' })
})

test('an address on a private network is not fetched', async () => {
  const inside = await startOutside(text('secret'))
  const outside = await startOutside(json({ data: [{ url: `http://localhost:${inside.port}/` }] }))
  expect((await failure(generate(outside))).message).toMatch(/not on the public internet/)
  expect(inside.seen).toEqual([])
})

test('what 0.2.0 has kept of a picture is fetched, not made again', async () => {
  const outside = await startOutside(text(png, { 'content-type': 'image/png' }))
  const { outputs, credits } = await generate(outside, { checkpoint: { url: `${outside.url}/p.png` } })
  expect([outputs.image, credits]).toMatchObject([{ media_type: 'image/png' }, 10])
  expect(outside.seen.map(({ method }) => method)).toEqual(['GET'])
})

const kept = () => {
  const saved: Record<string, unknown>[] = []
  return { saved, saveCheckpoint: async (value: Record<string, unknown>) => void saved.push(value) }
}

test('a picture that cannot be fetched at once is fetched a moment later, not made again', async () => {
  const place = await startOutside(text('busy', {}, 503), hangUp, text(png, { 'content-type': 'image/png' }))
  const outside = await startOutside(json({ data: [{ url: `${place.url}/p.png` }] }))
  const { outputs } = await generate(outside, {}, [`127.0.0.1:${place.port}`])
  expect(outputs.image).toMatchObject({ media_type: 'image/png' })
  expect([outside.seen.length, place.seen.length]).toEqual([1, 3])
})

test('one that cannot be fetched at all is fetched at a later start, from the address that was kept', async () => {
  const place = await startOutside(text('gone', {}, 404), text(png, { 'content-type': 'image/png' }))
  const outside = await startOutside(json({ data: [{ url: `${place.url}/p.png` }] }))
  const allowed = [`127.0.0.1:${place.port}`]
  const { saved, saveCheckpoint } = kept()
  expect(await failure(generate(outside, { saveCheckpoint }, allowed))).toMatchObject({
    message: expect.stringMatching(/answered 404\. The picture was paid for\./),
    ...{ again: null, outcome: 'paid', credits: 10 },
  })
  // Processes of Atelier 0.2.0 read the address of the picture from this member of the checkpoint.
  expect(saved.at(-1)).toMatchObject({ url: `${place.url}/p.png` })
  const later = await generate(outside, { checkpoint: saved.at(-1) ?? null }, allowed)
  // No credits, because the earlier attempt was already charged for the picture.
  expect(later).toMatchObject({ outputs: { image: { media_type: 'image/png' } }, credits: 0 })
  expect(outside.seen).toHaveLength(1)
})

test('one that came with the answer is kept so that 0.2.0 finds it too', async () => {
  const outside = await startOutside(json({ data: [{ b64_json: png.toString('base64') }] }))
  const { saved, saveCheckpoint } = kept()
  await generate(outside, { saveCheckpoint })
  // 0.2.0 reads a checkpoint only by this member, and takes a data URL without a request.
  expect(saved.at(-1)).toMatchObject({ url: `data:image/png;base64,${png.toString('base64')}` })
  await generate(outside, { checkpoint: saved.at(-1) ?? null })
  expect(outside.seen).toHaveLength(1)
})

test.for([
  ['no picture', json({ data: [] }), 'paid', 10],
  ['something that is none', json({ data: [{ b64_json: Buffer.from('hello').toString('base64') }] }), 'paid', 10],
  ['a cut connection', hangUp, 'unknown', 0],
] as const)('%s for an answer is booked as what it cost, as far as that is known', async ([, answer, ...booked]) => {
  const [outcome, credits] = booked
  expect(await failure(generate(await startOutside(answer)))).toMatchObject({ outcome, credits, again: null })
})

test('a size that the model does not take is refused before anything is sent, with what it takes', async () => {
  const outside = await startOutside(json({ data: [{ b64_json: png.toString('base64') }] }))
  const asked = generate(outside, { params: { size: '512x512' } }, [], readConfig({}).imageModel)
  expect((await failure(asked)).message).toMatch(/does not take the size 512x512\. It needs .* Nothing was sent\./)
  expect(outside.seen).toEqual([])
  // The default model `painter` is one whose sizes are not known: every size is sent to it as it is.
  await generate(outside, { params: { size: '512x512' } })
  await generate(outside, { params: { size: '1008x1792' } }, [], readConfig({}).imageModel)
  expect(outside.seen.map(({ body }) => [JSON.parse(body).model, JSON.parse(body).size])).toEqual([
    ['painter', '512x512'],
    ['gpt-image-2.5-flare', '1008x1792'],
  ])
})

test('an empty prompt is refused before anything is asked', async () => {
  const outside = await startOutside(json({}))
  expect((await failure(generate(outside, { inputs: { prompt: ' ' } }))).message).toMatch(/prompt is empty/)
  expect(outside.seen).toEqual([])
})
