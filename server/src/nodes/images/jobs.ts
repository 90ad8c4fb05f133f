// In charge of the operations on pictures. Each takes and returns plain data, so that it can run in another process.
import sharp, { type Sharp } from 'sharp'
import { NodeFailure } from '../node-type.ts'
import { putInto } from './drawn.ts'
import { packetFrom } from './marks.ts'
import { openPicture, type Reading } from './open.ts'
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
  /** The colour of the area that the picture does not fill, and behind a transparent picture in JPEG, as `#rrggbb`. */
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
  /** The maximum number of bytes of the file; null: no limit. */
  budget: number | null
  mayShrink: boolean
}
export type Converted = { bytes: Uint8Array; quality: number; width: number; height: number }

/**
 * The picture in each of the sizes. The picture is decoded once, at the scale that the largest size needs. So the other sizes take
 * little work, and a photo that is larger than needed is never in memory at full size.
 */
export async function resizePicture(job: ResizeJob, reading: Reading): Promise<Uint8Array[]> {
  const sizes = job.placements.map(sizeOf)
  const whole = await sizeOfPicture(job.picture, reading)
  const scale = Math.min(
    1,
    Math.max(...sizes.map((size) => Math.max(size.width / whole.width, size.height / whole.height))),
  )
  const base = { width: Math.ceil(whole.width * scale), height: Math.ceil(whole.height * scale) }
  const opened = openPicture(job.picture, 'picture').resize({ ...base, fit: 'fill' })
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

/** The largest part of the picture that has the given ratio, without scaling. */
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
 * Encodes with the highest quality up to `quality` that keeps the file within the budget, found by binary search. A quality below
 * 30 looks too bad to use; with `mayShrink`, the picture then becomes smaller instead.
 */
export async function convertPicture(
  { picture, format, quality, budget, mayShrink }: ConvertJob,
  reading: Reading,
): Promise<Converted> {
  let source = await reading(() => openPicture(picture, 'picture').png({ compressionLevel: 0 }).toBuffer())
  let { width, height } = await sharp(source).metadata()
  // The XMP packet is a part of the file. With a small budget it may be only so large that room is left for the picture.
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

/** The format and size of a picture, read from its bytes and not from its name. */
export async function inspectPicture({ picture }: { picture: Uint8Array }, reading: Reading) {
  const { format, autoOrient, hasAlpha } = await reading(() => openPicture(picture, 'picture').metadata())
  return { format, ...autoOrient, hasAlpha }
}

type Encoding = { quality: number; background: string; packet: string | null }

async function encode(picture: Sharp, format: PictureFormat, encoding: Encoding): Promise<Buffer> {
  const { packet } = encoding
  const encoded = inFormat(picture, format, encoding)
  if (packet === null) return encoded.toBuffer()
  // The library sharp stores the packet of a PNG in a chunk that most readers ignore, so our code writes that packet.
  return format === 'png' ? putInto(await encoded.toBuffer(), packet) : encoded.withXmp(packet).toBuffer()
}

function inFormat(picture: Sharp, format: PictureFormat, { quality, background }: Encoding): Sharp {
  switch (format) {
    case 'jpeg':
      return picture.flatten({ background }).jpeg({ quality, mozjpeg: false })
    case 'png':
      // A quality below 100 reduces a PNG to a palette of colours.
      return quality < 100 ? picture.png({ quality, palette: true }) : picture.png()
    case 'webp':
      return picture.webp({ quality })
    case 'avif':
      return picture.avif({ quality, effort: 3 })
  }
}
