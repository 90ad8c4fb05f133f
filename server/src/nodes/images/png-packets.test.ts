// Facts about reading the compressed XMP packets of a PNG.
import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { pngChunk } from '../../../test/support/png-chunk.ts'
import { processorMs } from '../../../test/support/processor-time.ts'
import { packetsInPng } from './png-packets.ts'

const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#24508c' } })
  .png()
  .toBuffer()
const holding = (...chunks: Buffer[]) => Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])
const key = 'XML:com.adobe.xmp\0'
const zTXt = (text: string | Buffer) => pngChunk('zTXt', key, '\0', deflateSync(text))

/** The packets in a file that arrives in pieces of this size, as one text. */
async function packetsIn(file: Buffer, size = file.length): Promise<string> {
  async function* pieces() {
    for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size)
  }
  return (await buffer(packetsInPng(pieces()))).toString()
}

test.for([1, 7, 64, 100_000])(
  'in pieces of %d bytes, every compressed packet is read, and nothing else',
  async (size) => {
    const file = holding(
      zTXt('one,'),
      pngChunk('iTXt', key, '\x01\0', 'en\0', 'Packet\0', deflateSync('two,')),
      // Not compressed, of another keyword, or of a type without texts.
      pngChunk('iTXt', key, '\0\0', '\0', '\0', 'plain'),
      pngChunk('zTXt', 'Comment\0', '\0', deflateSync('other')),
      pngChunk('fdAT', key, '\0', deflateSync('pixels')),
      zTXt('three'),
      pngChunk('zTXt', key, '\0', 'broken'),
    )
    expect(await packetsIn(file, size)).toBe('one,two,three')
  },
)

test('what sharp writes is read', async () => {
  const packet = '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>'
  expect(await packetsIn(await sharp(png).withXmp(packet).png().toBuffer())).toContain(packet)
})

test('of a file that is cut off, or is no PNG, what can be read is read', async () => {
  const file = holding(zTXt('one'), zTXt('two'))
  const texts = []
  for (let end = 0; end < file.length; end += 1) texts.push(await packetsIn(file.subarray(0, end)))
  expect(texts.filter((text) => !'onetwo'.startsWith(text))).toEqual([])
  expect(texts.at(-1)).toBe('onetwo')
  expect(await packetsIn(Buffer.concat([Buffer.from('GIF89a'), file]))).toBe('')
})

test('a packet is read before the rest of the file has arrived', async () => {
  async function* pieces() {
    yield png.subarray(0, 33)
    yield zTXt('one')
    throw new Error('the rest was asked for')
  }
  const packets = packetsInPng(pieces())
  expect(String((await packets.next()).value)).toBe('one')
  await expect(packets.next()).rejects.toThrow('the rest was asked for')
})

test('packets that decompress to gigabytes cost little', async () => {
  const bomb = zTXt(Buffer.alloc(3_000_000, 'x'))
  const began = processorMs()
  expect(await packetsIn(holding(...Array.from({ length: 500 }, () => bomb)))).toHaveLength(3_000_000)
  expect(await packetsIn(holding(zTXt(Buffer.alloc(5_000_000)), zTXt('later')))).toBe('')
  expect(processorMs() - began).toBeLessThan(500)
})

test('of any number of empty packets, only some are decompressed', async () => {
  const empty = zTXt('')
  const began = processorMs()
  expect(await packetsIn(holding(...Array.from({ length: 50_000 }, () => empty), zTXt('later')))).toBe('')
  expect(processorMs() - began).toBeLessThan(500)
  expect(await packetsIn(holding(...Array.from({ length: 20 }, () => empty), zTXt('later')))).toBe('later')
})
