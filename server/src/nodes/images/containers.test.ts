// Facts about what is taken out of the bytes of pictures.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { pngChunk } from '../../../test/support/png-chunk.ts'
import { withoutTexts } from './containers.ts'

test('a workflow is taken out of every chunk that ComfyUI writes it into, and other chunks stay', async () => {
  const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#24508c' } })
    .png()
    .toBuffer()
  const end = png.length - 12
  const holding = (...chunks: Buffer[]) => Buffer.concat([png.subarray(0, end), ...chunks, png.subarray(end)])
  const others = [
    pngChunk('tEXt', 'Author\0Nord'),
    pngChunk('comf', 'note\0kept'),
    pngChunk('fdAT', 'prompt\0of pixels'),
  ]
  // In an animated PNG, ComfyUI uses a chunk type of its own.
  const secret = [
    pngChunk('tEXt', 'prompt\0{"1":{}}'),
    pngChunk('comf', 'prompt\0{"1":{}}'),
    pngChunk('comf', 'workflow\0{}'),
  ]
  expect(withoutTexts(holding(...secret, ...others), ['prompt', 'workflow'])).toEqual(holding(...others))
})

/** An animated WebP of two frames with these EXIF fields. */
const film = (fields: Record<string, string>) =>
  sharp(Buffer.concat([Buffer.alloc(4 * 4 * 3, 90), Buffer.alloc(4 * 4 * 3, 200)]), {
    raw: { width: 4, height: 8, channels: 3, pageHeight: 4 },
  })
    .withExif({ IFD0: fields })
    .webp({ lossless: true })
    .toBuffer()

test('a workflow is taken out of the EXIF of an animated WebP, which shows the same pixels', async () => {
  const given = await film({ Make: 'workflow:{"nodes":[]}', Model: 'prompt:{"1":{"class_type":"KSampler"}}' })
  expect(given.includes('KSampler')).toBe(true)
  const kept = withoutTexts(given, ['prompt', 'workflow'])
  expect(kept.toString('latin1')).not.toMatch(/KSampler|nodes/)
  const { pages, exif } = await sharp(kept).metadata()
  expect([pages, exif]).toEqual([2, undefined])
  const pixels = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer()
  expect(await pixels(kept)).toEqual(await pixels(given))
})

test('the EXIF of a WebP without a workflow stays, and so does a WebP that is cut off', async () => {
  const photo = await film({ Make: 'Nord', ImageDescription: 'a prompt: one word' })
  expect(withoutTexts(photo, ['prompt', 'workflow'])).toEqual(photo)
  const cut = (await film({ Model: 'prompt:{}' })).subarray(0, -3)
  expect(withoutTexts(cut, ['prompt', 'workflow'])).toEqual(cut)
})
