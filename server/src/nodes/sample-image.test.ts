// Facts about the node type `sample.image`.
import { expect, test } from 'vitest'
import { callNode, filesInMemory, seedOf } from '../../test/support/nodes.ts'
import { createPictureWorkers } from './images/workers.ts'
import { sampleImage } from './sample-image.ts'

const type = sampleImage(createPictureWorkers({ most: 1 }))

async function draw(params: Record<string, unknown>, seed = seedOf('a')) {
  const files = filesInMemory()
  const { outputs, credits } = await callNode(type, {
    params,
    inputs: { prompt: 'A flask <&> a rock' },
    seed,
    files,
  })
  const [bytes = Buffer.alloc(0)] = files.all.values()
  return { image: outputs.image, bytes, credits }
}
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]

test.for([
  [1080, 1350],
  [1080, 1920],
  [1200, 628],
  [300, 250],
  [728, 90],
] as const)('is a PNG of exactly %i × %i', async ([width, height]) => {
  const { image, bytes } = await draw({ width, height })
  expect(image).toMatchObject({ media_type: 'image/png', size: bytes.length, name: 'sample.png' })
  expect(sizeOf(bytes)).toEqual([width, height])
})

test('the same call draws the same bytes, another seed another picture', async () => {
  const params = { width: 300, height: 250 }
  const one = await draw(params)
  expect((await draw(params)).image).toEqual(one.image)
  expect((await draw(params, seedOf('b'))).image).not.toEqual(one.image)
})

test('carries the sample mark, and the words of the prompt as text that cannot become markup', async () => {
  const svg = (await draw({ format: 'svg' })).bytes.toString()
  expect(svg).toContain('>SAMPLE</text>')
  expect(svg).toContain('&#60;&#38;&#62;')
})

test('leaves the words out where others are to be set over it, never the sample mark', async () => {
  const svg = (await draw({ format: 'svg', words: false })).bytes.toString()
  expect(svg.match(/<text/g)).toHaveLength(1)
  expect(svg).toContain('>SAMPLE</text>')
})

test('costs one credit unless told otherwise', async () => {
  expect((await draw({ format: 'svg' })).credits).toBe(1)
})
