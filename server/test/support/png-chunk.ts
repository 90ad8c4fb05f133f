// In charge of writing chunks of PNG files.
import { crc32 } from 'node:zlib'

/** Texts are written as Latin-1. */
export function pngChunk(type: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(
    [type, ...parts].map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
