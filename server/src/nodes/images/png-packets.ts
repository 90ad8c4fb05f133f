// In charge of reading the compressed XMP packets of a PNG piece by piece, so that a large file neither holds the thread nor is in
// memory as a whole.
import { promisify } from 'node:util'
import { constants, inflate } from 'node:zlib'
import { pngKeyword, pngSignature } from './containers.ts'

/**
 * The most bytes of packets that are read from a file, and of a single chunk before it is decompressed. Packets rarely have more than
 * 100 kB. Without a limit, a file of 64 MB could be made that decompresses to 64 GB.
 */
const most = 4 * 1024 * 1024

/**
 * How many bytes a packet counts for besides its own. A file rarely has more than one packet. Without this, a file of 100 MB could
 * have millions of empty packets, and zlib takes some 50 µs for each.
 */
const perPacket = 128 * 1024

/** zlib works in threads of its own. Of a packet that was cut off, what there is is returned. */
const inflated = promisify(inflate)

/** Yields the compressed XMP packets of a PNG, decompressed. Of a file that is broken, yields those before that place. */
export async function* packetsInPng(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const reader = readerOf(source)
  try {
    if (!(await reader.take(pngSignature.length)).equals(pngSignature)) return
    let room = most
    for (let header = await reader.take(8); header.length === 8 && room > 0; header = await reader.take(8)) {
      const length = header.readUInt32BE(0)
      const type = header.toString('latin1', 4)
      const isText = (type === 'zTXt' || type === 'iTXt') && length <= most
      const data = isText ? await reader.take(length) : null
      const packed = data && compressedIn(type, data)
      if (packed) {
        const options = { maxOutputLength: room, finishFlush: constants.Z_SYNC_FLUSH }
        const packet = await inflated(packed, options).catch(() => null)
        // One that is broken or does not fit ends the reading: to find that out may take as much work as all others together.
        if (packet === null) return
        room -= packet.length + perPacket
        yield packet
      }
      // A checksum of four bytes follows the data of each chunk.
      await reader.skip(data ? 4 : length + 4)
    }
  } finally {
    await reader.close()
  }
}

/** The compressed part of a text chunk; null if its text is no XMP packet, or is not compressed. */
function compressedIn(type: string, data: Buffer): Buffer | null {
  const start = pngKeyword.length + 1
  if (data.toString('latin1', 0, start) !== `${pngKeyword}\0`) return null
  // zTXt: the method of compression, then the text.
  if (type === 'zTXt') return data.subarray(start + 1)
  // iTXt: whether the text is compressed, the method, then a language and a translated keyword that each end with a NUL.
  const language = data.indexOf(0, start + 2)
  const keyword = language === -1 ? -1 : data.indexOf(0, language + 1)
  return data[start] === 1 && keyword !== -1 ? data.subarray(keyword + 1) : null
}

/** Reads a source of pieces of any size by the numbers of bytes that are asked for; at its end, returns as many as there are. */
function readerOf(source: AsyncIterable<Uint8Array>) {
  const pieces = source[Symbol.asyncIterator]()
  let rest: Uint8Array = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const next = await pieces.next()
    if (next.done) return false
    rest = next.value
    return true
  }
  const take = async (count: number): Promise<Buffer> => {
    const parts: Uint8Array[] = []
    for (let left = count; left > 0 && (rest.length > 0 || (await more())); ) {
      const part = rest.subarray(0, left)
      parts.push(part)
      rest = rest.subarray(part.length)
      left -= part.length
    }
    return Buffer.concat(parts)
  }
  const skip = async (count: number): Promise<void> => {
    let left = count
    while (left > rest.length) {
      left -= rest.length
      rest = rest.subarray(rest.length)
      if (!(await more())) return
    }
    rest = rest.subarray(left)
  }
  return { take, skip, close: async () => void (await pieces.return?.()) }
}
