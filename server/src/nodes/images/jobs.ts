// In charge of operations on pictures. They take and return plain data, because that is sent between processes.
import sharp, { type Sharp } from 'sharp'
import { NodeFailure } from '../node-type.ts'
import { putInto } from './drawn.ts'
import { packetFrom } from './marks.ts'
import { openFor, openPicture, type Reading, scaleFor } from './open.ts'
import { sizeOf } from './placements.ts'
import { marksOf } from './read-marks.ts'

export type Focus = 'attention' | 'centre' | 'top' | 'bottom' | 'left' | 'right'
export type Fit = 'cover' | 'contain'
export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'avif'

export type ResizeJob = {
  picture: Uint8Array
  placements: string[]
  fit: Fit
  focus: Focus
  /** As `#rrggbb`: the colour of the area that the picture does not fill and, in a JPEG, behind its transparent parts. */
  background: string
  format: PictureFormat
  quality: number
}
export type CropJob = {
  picture: Uint8Array
  ratio: { width: number; height: number }
  focus: Focus
  format: PictureFormat
}
export type ConvertJob = {
  picture: Uint8Array
  format: PictureFormat
  quality: number
  /** The maximum size of the file, in bytes; null: no limit. */
  budget: number | null
  mayShrink: boolean
}
export type Converted = { bytes: Uint8Array; quality: number; width: number; height: number }

/**
 * The picture in each of the sizes, in their order. The picture is decoded once, at the scale that the largest size needs. So the
 * other sizes take little work, and a photo that is larger than needed is never in memory at full size.
 */
export async function resizePicture(job: ResizeJob, reading: Reading): Promise<Uint8Array[]> {
  const sizes = job.placements.map(sizeOf)
  const { picture, whole } = await reading(() => openFor(job.picture, 'picture', sizes))
  const scale = Math.min(1, scaleFor(whole, sizes))
  const base = { width: Math.ceil(whole.width * scale), height: Math.ceil(whole.height * scale) }
  const opened = picture.resize({ ...base, fit: 'fill' })
  const { data, info } = await reading(() => opened.raw().toBuffer({ resolveWithObject: true }))
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const packet = packetFrom(await reading(() => marksOf(job.picture)))
  const made: Uint8Array[] = []
  for (const size of sizes) {
    const place = job.fit === 'cover' ? { position: job.focus } : { background: job.background }
    const fitted = sharp(data, { raw }).resize({ ...size, fit: job.fit, ...place })
    const { format, background, quality } = job
    made.push(await encode(fitted, format, { quality: format === 'png' ? 100 : quality, background, packet }))
  }
  return made
}

/** Cuts the largest part with the given ratio out of the picture, without scaling; `focus` says which part is kept. */
export async function cropPicture({ picture, ratio, focus, format }: CropJob, reading: Reading): Promise<Uint8Array> {
  const { width, height } = await sizeOfPicture(picture, reading)
  const scale = Math.min(width / ratio.width, height / ratio.height)
  const size = { width: Math.round(ratio.width * scale), height: Math.round(ratio.height * scale) }
  if (size.width < 1 || size.height < 1)
    throw new NodeFailure(`A picture of ${width}×${height} cannot be cut to that ratio.`)
  const cut = openPicture(picture, 'picture').resize({ ...size, fit: 'cover', position: focus })
  const packet = packetFrom(await reading(() => marksOf(picture)))
  const encoding = { quality: format === 'png' ? 100 : 95, background: '#ffffff', packet }
  return reading(() => encode(cut, format, encoding))
}

const sizeOfPicture = (picture: Uint8Array, reading: Reading) =>
  reading(async () => (await openPicture(picture, 'picture').metadata()).autoOrient)

/**
 * Encodes with the highest quality, at most `quality`, at which the file is within the budget; a binary search finds it.
 * Qualities below 30 look too bad, so they are not tried: if the file is too large even at 30, the picture is scaled
 * down (with `mayShrink`), or the job fails.
 */
export async function convertPicture(
  { picture, format, quality, budget, mayShrink }: ConvertJob,
  reading: Reading,
): Promise<Converted> {
  let source = await reading(() => openPicture(picture, 'picture').png({ compressionLevel: 0 }).toBuffer())
  let { width, height } = await sharp(source).metadata()
  // The XMP packet counts towards the budget. With a small budget its size is limited, so that room is left for the picture.
  const packet = packetFrom(await reading(() => marksOf(picture)), budget)
  for (;;) {
    const found = await bestWithin(source, { format, quality, budget, packet })
    if (found) return { ...found, width, height }
    if (!mayShrink || Math.min(width, height) < 64) throw tooLarge(budget, format, mayShrink)
    ;[width, height] = [Math.round(width * 0.85), Math.round(height * 0.85)]
    source = await sharp(source).resize({ width, height, fit: 'fill' }).png({ compressionLevel: 0 }).toBuffer()
  }
}

const leastQuality = 30

type Within = { format: PictureFormat; quality: number; budget: number | null; packet: string | null }

async function bestWithin(source: Buffer, { format, quality, budget, packet }: Within) {
  const at = async (tried: number) => ({
    bytes: await encode(sharp(source), format, { quality: tried, background: '#ffffff', packet }),
    quality: tried,
  })
  const whole = await at(quality)
  if (budget === null || whole.bytes.length <= budget) return whole
  let best: typeof whole | null = null
  let [low, high] = [leastQuality, quality - 1]
  while (low <= high) {
    const tried = await at(Math.floor((low + high) / 2))
    if (tried.bytes.length <= budget) {
      best = tried
      low = tried.quality + 1
    } else high = tried.quality - 1
  }
  return best
}

function tooLarge(budget: number | null, format: PictureFormat, mayShrink: boolean): NodeFailure {
  const kilobytes = Math.round((budget ?? 0) / 1000)
  const advice = mayShrink ? 'Raise the budget.' : 'Raise the budget, take another format, or allow a smaller size.'
  return new NodeFailure(`No ${format.toUpperCase()} of ${kilobytes} kB is worth looking at. ${advice}`)
}

/** The format and size of a picture, as its bytes and not its file name say. */
export async function inspectPicture({ picture }: { picture: Uint8Array }, reading: Reading) {
  const { format, autoOrient, hasAlpha } = await reading(() => openPicture(picture, 'picture').metadata())
  return { format, ...autoOrient, hasAlpha }
}

type Encoding = { quality: number; background: string; packet: string | null }

async function encode(picture: Sharp, format: PictureFormat, encoding: Encoding): Promise<Buffer> {
  const { packet } = encoding
  const encoded = inFormat(picture, format, encoding)
  if (packet === null) return encoded.toBuffer()
  // The library sharp would write the packet of a PNG into a chunk that most programs ignore, so our own code writes it.
  return format === 'png' ? putInto(await encoded.toBuffer(), packet) : encoded.withXmp(packet).toBuffer()
}

function inFormat(picture: Sharp, format: PictureFormat, { quality, background }: Encoding): Sharp {
  switch (format) {
    case 'jpeg':
      return picture.flatten({ background }).jpeg({ quality, mozjpeg: false })
    case 'png':
      // At a quality below 100, a PNG has only the colours of a palette.
      return quality < 100 ? picture.png({ quality, palette: true }) : picture.png()
    case 'webp':
      return picture.webp({ quality })
    case 'avif':
      return picture.avif({ quality, effort: 3 })
  }
}
