// Facts about the node type `image.convert`.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { callNode, failureOf, filesInMemory } from '../../test/support/nodes.ts'
import { randomNumbers } from '../../test/support/random.ts'
import { imageConvert } from './image-convert.ts'
import { createPictureWorkers } from './images/workers.ts'

const type = imageConvert(createPictureWorkers({ most: 1 }))
const random = randomNumbers(7)
const [wide, high] = [400, 300]
/** A picture of noise, which compresses worst. It is made once, and all tests use it. */
const noise = await sharp(Buffer.from(Array.from({ length: wide * high * 3 }, () => Math.floor(random() * 256))), {
  raw: { width: wide, height: high, channels: 3 },
})
  .png()
  .toBuffer()

async function convert(params: Record<string, unknown>) {
  const files = filesInMemory()
  const image = await files.write(noise, 'image/png', 'noise.png')
  const { outputs } = await callNode(type, { files, params, inputs: { image } })
  const made = files.all.get(String(Reflect.get(Object(outputs.image), 'digest'))) ?? Buffer.alloc(0)
  return { outputs, bytes: made.length, ...(await sharp(made).metadata()) }
}

test.for(['jpeg', 'png', 'webp', 'avif'])('converts to %s', async (format) => {
  const made = await convert({ format })
  expect(made.format).toBe(format === 'avif' ? 'heif' : format)
  expect(made.outputs.image).toMatchObject({ media_type: `image/${format}` })
})

test('takes the best quality within the budget', async () => {
  const { bytes, outputs } = await convert({ budget_kb: 60 })
  expect(bytes).toBeLessThanOrEqual(60_000)
  const quality = Number(outputs.quality)
  const better = await sharp(noise)
    .jpeg({ quality: quality + 1 })
    .toBuffer()
  expect(better.length).toBeGreaterThan(60_000)
  expect(quality).toBeGreaterThanOrEqual(30)
})

test('where none is worth looking at, it says so rather than give it', async () => {
  expect(await failureOf(convert({ budget_kb: 5 }))).toMatch(/^No JPEG of 5 kB is worth looking at/)
})

test('keeps free what is asked for, of the budget', async () => {
  expect((await convert({ budget_kb: 60, reserve_kb: 16 })).bytes).toBeLessThanOrEqual(44_000)
  expect(await failureOf(convert({ budget_kb: 16, reserve_kb: 16 }))).toMatch(/cannot be kept free/)
})

test('becomes smaller only where that is allowed', async () => {
  const { bytes, width } = await convert({ budget_kb: 5, may_shrink: true })
  expect(bytes).toBeLessThanOrEqual(5000)
  expect(width).toBeLessThan(400)
})
