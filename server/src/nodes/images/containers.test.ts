// Facts about what is taken out of the bytes of pictures.
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { withoutTexts } from './containers.ts'

function chunk(type: string, data: string): Buffer {
  const body = Buffer.from(`${type}${data}`, 'latin1')
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

test('a workflow is taken out of every chunk that ComfyUI writes it into, and other chunks stay', async () => {
  const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#24508c' } })
    .png()
    .toBuffer()
  const end = png.length - 12
  const holding = (...chunks: Buffer[]) => Buffer.concat([png.subarray(0, end), ...chunks, png.subarray(end)])
  const others = [chunk('tEXt', 'Author\0Nord'), chunk('comf', 'note\0kept'), chunk('fdAT', 'prompt\0of pixels')]
  // In an animated PNG, ComfyUI uses a chunk type of its own.
  const secret = [chunk('tEXt', 'prompt\0{"1":{}}'), chunk('comf', 'prompt\0{"1":{}}'), chunk('comf', 'workflow\0{}')]
  expect(withoutTexts(holding(...secret, ...others), ['prompt', 'workflow'])).toEqual(holding(...others))
})
