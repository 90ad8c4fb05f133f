// Facts about image.convert.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { callNode, failureOf, filesInMemory } from '../../test/support/nodes.ts'
import { imageConvert } from './image-convert.ts'
import { createPictureWorkers } from './images/workers.ts'

const type = imageConvert(createPictureWorkers(1))
/** Noise: what compresses worst. */
const noise = sharp({
  create: {
    width: 400,
    height: 300,
    channels: 3,
    background: '#808080',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
})

async function convert(params: Record<string, unknown>) {
  const files = filesInMemory()
  const image = await files.write(await noise.clone().png().toBuffer(), 'image/png', 'noise.png')
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
  const better = await noise
    .clone()
    .jpeg({ quality: quality + 1 })
    .toBuffer()
  expect(better.length).toBeGreaterThan(60_000)
  expect(quality).toBeGreaterThanOrEqual(30)
})

test('where none is worth looking at, it says so rather than give it', async () => {
  expect(await failureOf(convert({ budget_kb: 5 }))).toMatch(/^No JPEG of 5 kB is worth looking at/)
})

test('becomes smaller only where that is allowed', async () => {
  const { bytes, width } = await convert({ budget_kb: 5, may_shrink: true })
  expect(bytes).toBeLessThanOrEqual(5000)
  expect(width).toBeLessThan(400)
})
