// In charge of writing an XMP packet into the bytes of a finished picture, so that its pixels do not change.
import { crc32 } from 'node:zlib'

export type Size = { width: number; height: number; hasAlpha: boolean }

/**
 * The picture with this XMP packet in place of any that it has. Null if the format is not PNG, JPEG or WebP, if the file is
 * truncated, or if the packet is too long for a JPEG. `size` is used only for a WebP.
 */
export function putPacket(bytes: Buffer, packet: string, size: Size): Buffer | null {
  const xmp = Buffer.from(packet)
  if (bytes.length > 33 && bytes.subarray(0, 8).equals(pngSignature)) return intoPng(bytes, xmp)
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return intoJpeg(bytes, xmp)
  return isWebp(bytes) ? intoWebp(bytes, xmp, size) : null
}

/** Whether a picture has content credentials (C2PA). They are signed, so any change of the picture's bytes breaks the signature. */
export const hasCredentials = (bytes: Buffer): boolean => bytes.includes('jumdc2pa')

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The keyword of the text chunk with the XMP packet. */
export const pngKeyword = 'XML:com.adobe.xmp'

function intoPng(bytes: Buffer, xmp: Buffer): Buffer | null {
  const parts: Buffer[] = [bytes.subarray(0, 8)]
  for (const { type, whole, keyword } of pngChunks(bytes) ?? []) {
    if (keyword !== pngKeyword) parts.push(whole)
    if (type === 'IHDR')
      parts.push(pngChunk('iTXt', Buffer.concat([Buffer.from(`${pngKeyword}\0`), Buffer.alloc(4), xmp])))
  }
  return parts.length === 1 ? null : Buffer.concat(parts)
}

/**
 * Removes the texts with one of these keywords from a PNG or a WebP, as ComfyUI writes them. A file of another format, or one that
 * is truncated, is returned unchanged.
 */
export function withoutTexts(bytes: Buffer, keywords: readonly string[]): Buffer {
  if (isWebp(bytes)) return withoutExif(bytes, keywords)
  const chunks = bytes.subarray(0, 8).equals(pngSignature) ? pngChunks(bytes) : null
  const kept = chunks?.filter(({ keyword }) => keyword === null || !keywords.includes(keyword))
  if (!chunks || !kept || kept.length === chunks.length) return bytes
  return Buffer.concat([pngSignature, ...kept.map(({ whole }) => whole)])
}

/**
 * ComfyUI writes such a text into the EXIF of a WebP as the keyword, a colon and an object, in fields that are for the maker of a
 * camera and its model. The EXIF of such a file has nothing else, so it is removed as a whole.
 */
function withoutExif(bytes: Buffer, keywords: readonly string[]): Buffer {
  const text = new RegExp(`\\b(${keywords.join('|')}): ?\\{`, 'i')
  const chunks = webpChunks(bytes)
  const kept = chunks?.filter(({ type, bytes: whole }) => type !== 'EXIF' || !text.test(whole.toString('latin1')))
  if (!chunks || !kept || kept.length === chunks.length) return bytes
  const extended = kept.find(({ type }) => type === 'VP8X')
  if (extended) extended.bytes[8] = (extended.bytes[8] ?? 0) & ~webpFlags.exif
  return webpOf(kept)
}

/** `whole`: all bytes of the chunk. `keyword`: the keyword of a chunk in `textChunks`; null for a chunk of another type. */
type PngChunk = { type: string; whole: Buffer; keyword: string | null }

/**
 * The types of the chunks that begin with a keyword and a NUL. An XMP packet may be in any of the three standard ones: it should be in
 * iTXt, but the library libvips, which sharp uses, writes it into zTXt. ComfyUI writes the workflow of an animated PNG into `comf`.
 */
const textChunks: readonly string[] = ['iTXt', 'zTXt', 'tEXt', 'comf']

function pngChunks(bytes: Buffer): PngChunk[] | null {
  const chunks: PngChunk[] = []
  for (let at = 8; at < bytes.length; ) {
    if (at + 12 > bytes.length) return null
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return null
    const type = bytes.toString('latin1', at + 4, at + 8)
    const isText = textChunks.includes(type)
    const [keyword = ''] = isText ? bytes.toString('latin1', at + 8, Math.min(at + 88, end)).split('\0', 1) : []
    chunks.push({ type, whole: bytes.subarray(at, end), keyword: isText ? keyword : null })
    at = end
  }
  return chunks
}

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

const jpegXmp = Buffer.from('http://ns.adobe.com/xap/1.0/\0')
const jpegXmpMore = Buffer.from('http://ns.adobe.com/xmp/extension/\0')

/**
 * Writes the packet into a JPEG, after the segments that programs expect first: JFIF and EXIF. Null if the file is truncated, or if
 * the packet is too long for a segment.
 */
function intoJpeg(bytes: Buffer, xmp: Buffer): Buffer | null {
  const length = 2 + jpegXmp.length + xmp.length
  if (length > 0xffff) return null
  const header = Buffer.from([0xff, 0xe1, length >> 8, length & 0xff])
  const first: Buffer[] = [bytes.subarray(0, 2)]
  const rest: Buffer[] = []
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff && isHeader(bytes[at + 1] ?? 0)) {
    const marker = bytes[at + 1] ?? 0
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length) return null
    const content = bytes.subarray(at + 4, end)
    const isPacket = marker === 0xe1 && [jpegXmp, jpegXmpMore].some((name) => startsWith(content, name))
    const goesFirst = marker === 0xe0 || (marker === 0xe1 && startsWith(content, Buffer.from('Exif\0')))
    if (!isPacket) (goesFirst && rest.length === 0 ? first : rest).push(bytes.subarray(at, end))
    at = end
  }
  return Buffer.concat([...first, header, jpegXmp, xmp, ...rest, bytes.subarray(at)])
}

/** Whether a segment is APP0 to APP15 or a comment: such segments come before those that describe the pixels. */
const isHeader = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe
const startsWith = (bytes: Buffer, name: Buffer): boolean => bytes.subarray(0, name.length).equals(name)

const isWebp = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'

const webpFlags = { packet: 0x04, exif: 0x08, alpha: 0x10 } as const

/** `bytes`: a copy of all bytes of the chunk. */
type WebpChunk = { type: string; bytes: Buffer }

/** Null if the file is truncated. */
function webpChunks(bytes: Buffer): WebpChunk[] | null {
  const chunks: WebpChunk[] = []
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (end > bytes.length) return null
    chunks.push({ type: bytes.toString('latin1', at, at + 4), bytes: Buffer.from(bytes.subarray(at, end)) })
    at = end
  }
  return chunks
}

const webpOf = (chunks: readonly WebpChunk[]): Buffer =>
  riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks.map((chunk) => chunk.bytes)]))

/**
 * Writes the packet into a WebP; null if the file is truncated. A simple WebP becomes an extended one, because only the extended
 * format can contain an XMP packet.
 */
function intoWebp(bytes: Buffer, xmp: Buffer, { width, height, hasAlpha }: Size): Buffer | null {
  const chunks = webpChunks(bytes)?.filter(({ type }) => type !== 'XMP ')
  if (!chunks) return null
  const extended = chunks.find(({ type }) => type === 'VP8X')
  if (extended) extended.bytes[8] = (extended.bytes[8] ?? 0) | webpFlags.packet
  else {
    const header = Buffer.alloc(10)
    header[0] = webpFlags.packet | (hasAlpha ? webpFlags.alpha : 0)
    header.writeUIntLE(width - 1, 4, 3)
    header.writeUIntLE(height - 1, 7, 3)
    chunks.unshift({ type: 'VP8X', bytes: riffChunk('VP8X', header) })
  }
  return webpOf([...chunks, { type: 'XMP ', bytes: riffChunk('XMP ', xmp) }])
}

function riffChunk(type: string, data: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.write(type, 0, 'latin1')
  header.writeUInt32LE(data.length, 4)
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)])
}
