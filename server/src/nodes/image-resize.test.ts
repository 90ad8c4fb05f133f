// Facts about the node type `image.resize`, and about opening pictures of unknown origin.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { callNode, failureOf, filesInMemory } from '../../test/support/nodes.ts'
import { imageResize } from './image-resize.ts'
import { createPictureWorkers } from './images/workers.ts'

const type = imageResize(createPictureWorkers({ most: 2 }))
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a01010' } })

async function resize(bytes: Uint8Array, params: Record<string, unknown>, name = 'flask.jpg') {
  const files = filesInMemory()
  const image = await files.write(bytes, 'image/jpeg', name)
  const { outputs } = await callNode(type, { files, params, inputs: { image } })
  const images: unknown[] = Array.isArray(outputs.images) ? outputs.images : []
  const bytesAt = (at: number) => files.all.get(String(Reflect.get(Object(images[at]), 'digest'))) ?? Buffer.alloc(0)
  return { images, bytesAt }
}

test('gives each size exactly, also ones larger than the picture', async () => {
  const placements = ['1080x1350', '728x90', '2000x400']
  const { images, bytesAt } = await resize(await plain(900, 600).jpeg().toBuffer(), { placements })
  const names = placements.map((placement) => `flask-${placement}.jpg`)
  expect(images.map((image) => Reflect.get(Object(image), 'name'))).toEqual(names)
  for (const [at, placement] of placements.entries()) {
    const { width, height } = await sharp(bytesAt(at)).metadata()
    expect(`${width}x${height}`).toBe(placement)
  }
})

test('kept whole, a picture stands on the background it is given', async () => {
  const params = { placements: ['400x100'], fit: 'contain', background: '#00ff00', format: 'png' }
  const { bytesAt } = await resize(await plain(100, 100).png().toBuffer(), params)
  const { data } = await sharp(bytesAt(0)).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  expect([...data.subarray(0, 3)]).toEqual([0, 255, 0])
  expect([...data.subarray(200 * 3, 200 * 3 + 3)]).toEqual([0xa0, 0x10, 0x10])
})

test('a turned photo is set upright, and its camera data is gone', async () => {
  const turned = await plain(200, 100)
    .withExif({ IFD0: { Artist: 'A. Person' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const { bytesAt } = await resize(turned, { placements: ['100x200'], fit: 'contain', background: '#00ff00' })
  const { exif, orientation } = await sharp(bytesAt(0)).metadata()
  expect([exif, orientation]).toEqual([undefined, undefined])
  const { data } = await sharp(bytesAt(0)).raw().toBuffer({ resolveWithObject: true })
  expect(data[0]).toBeGreaterThan(100)
})

test('a decompression bomb is refused by its pixels, before it is unpacked', async () => {
  const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#000' } })
    .png()
    .toBuffer()
  expect(bomb.length).toBeLessThan(400_000)
  expect(await failureOf(resize(bomb, { placements: ['100x100'] }))).toMatch(/more than 50 megapixels/)
})

test.for([
  ['no picture', Buffer.from('GIF89 but not really')],
  ['half a picture', null],
] as const)('%s is refused in words', async ([, bytes]) => {
  const whole = await plain(600, 600).png().toBuffer()
  expect(await failureOf(resize(bytes ?? whole.subarray(0, whole.length / 2), { placements: ['100x100'] }))).toMatch(
    /picture/,
  )
})

test('an SVG smaller or larger than the size is drawn sharp in that size', async () => {
  for (const side of [30, 6_000]) {
    const half = `<rect width="${side}" height="${side}"/><rect width="${side / 2}" height="${side}" fill="#ff0000"/>`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${half}</svg>`
    const { bytesAt } = await resize(Buffer.from(svg), { placements: ['1000x1000', '300x250'], format: 'png' })
    const { data, info } = await sharp(bytesAt(0)).raw().toBuffer({ resolveWithObject: true })
    const row = Array.from({ length: info.width }, (_, x) => data[500 * info.width * info.channels + x * info.channels])
    expect(row.filter((red) => red !== 0 && red !== 255).length, `${side} pixels a side`).toBeLessThan(4)
  }
})

test('an SVG reads no files', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="50" height="50"><image x:href="file:///etc/passwd" width="50" height="50"/><rect width="50" height="50" fill="#0000ff"/></svg>`
  const { bytesAt } = await resize(Buffer.from(svg), { placements: ['50x50'], format: 'png' })
  const { data } = await sharp(bytesAt(0)).raw().toBuffer({ resolveWithObject: true })
  expect([...data.subarray(0, 3)]).toEqual([0, 0, 255])
})
