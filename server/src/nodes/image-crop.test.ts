// Facts about the node type `image.crop`.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { callNode, filesInMemory } from '../../test/support/nodes.ts'
import { imageCrop } from './image-crop.ts'
import { createPictureWorkers } from './images/workers.ts'

const type = imageCrop(createPictureWorkers({ most: 1 }))

async function crop(params: Record<string, unknown>) {
  const files = filesInMemory()
  const left = { create: { width: 200, height: 400, channels: 3 as const, background: '#ff0000' } }
  const picture = sharp({ create: { width: 800, height: 400, channels: 3, background: '#0000ff' } })
  const bytes = await picture
    .composite([{ input: left, left: 0, top: 0 }])
    .png()
    .toBuffer()
  const image = await files.write(bytes, 'image/png', 'wide.png')
  const { outputs } = await callNode(type, { files, params: { format: 'png', ...params }, inputs: { image } })
  const made = files.all.get(String(Reflect.get(Object(outputs.image), 'digest')))
  const { data, info } = await sharp(made).raw().toBuffer({ resolveWithObject: true })
  return { size: [info.width, info.height], first: data.subarray(0, 3).toString('hex'), file: outputs.image }
}

test.for([
  ['1:1', [400, 400]],
  ['4:5', [320, 400]],
  ['9:16', [225, 400]],
  ['16:9', [711, 400]],
  ['1.91:1', [764, 400]],
] as const)('keeps the largest part with %s', async ([ratio, size]) => {
  expect((await crop({ ratio })).size).toEqual(size)
})

test('keeps the side it is told to', async () => {
  expect((await crop({ ratio: '1:1', focus: 'left' })).first).toBe('ff0000')
  expect((await crop({ ratio: '1:1', focus: 'right' })).first).toBe('0000ff')
})

test('the file is named after what was done', async () => {
  expect((await crop({ ratio: '4:5' })).file).toMatchObject({ name: 'wide-4x5.png', media_type: 'image/png' })
})
