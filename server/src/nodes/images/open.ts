// In charge of opening pictures of unknown origin: it limits their size, and turns errors into messages that say what to do.
import sharp, { type Sharp } from 'sharp'
import { NodeFailure } from '../node-type.ts'
import { pictureLimits, tooBig } from './limits.ts'
import type { Size } from './placements.ts'

// One thread for each process is enough: other processes work on other pictures and use the other processor cores.
sharp.concurrency(1)
sharp.cache(false)

/**
 * Executes work that decodes a file of unknown origin, so that whoever provides this function can limit the time of such work. All
 * work that reads from an opened picture goes through it, even if it only reads the picture's size.
 */
export type Reading = <T>(work: () => Promise<T>) => Promise<T>
/** A `Reading` without a time limit, for callers such as benchmarks. */
export const untimed: Reading = (work) => work()

/**
 * Opens the first page of a picture, turned upright as its metadata says. `what`: the name of the picture in error messages.
 * `scale`: the factor by which an SVG is scaled when it is drawn.
 */
export function openPicture(bytes: Uint8Array, what: string, scale = 1): Sharp {
  if (bytes.length > pictureLimits.bytes) {
    throw new NodeFailure(`The ${what} has ${bytes.length} bytes; ${pictureLimits.bytes} is the most.`)
  }
  const density = svgDensities.own * scale
  return sharp(bytes, { limitInputPixels: pictureLimits.pixels, failOn: 'error', pages: 1, density }).autoOrient()
}

/** The densities, in pixels per inch, that the library takes for an SVG. At `own`, an SVG is drawn in its own size. */
const svgDensities = { least: 1, own: 72, most: 100_000 } as const

/** The maximum number of pixels in which an SVG is drawn. The largest size that a picture is made in has half of them. */
const svgPixels = 25_000_000

/**
 * Opens a picture that will be scaled to fill each of `sizes`. An SVG is drawn in the size that is needed for that, because a small
 * drawing that is enlarged is blurred. `whole`: the size of what was opened.
 */
export async function openFor(
  bytes: Uint8Array,
  what: string,
  sizes: readonly Size[],
): Promise<{ picture: Sharp; whole: Size }> {
  const { format, autoOrient } = await openPicture(bytes, what).metadata()
  const scale = format === 'svg' ? svgScale(autoOrient, scaleFor(autoOrient, sizes)) : 1
  const whole = { width: autoOrient.width * scale, height: autoOrient.height * scale }
  return { picture: openPicture(bytes, what, scale), whole }
}

/** The factor by which a picture has to be scaled to fill each of `sizes`. */
export const scaleFor = (whole: Size, sizes: readonly Size[]): number =>
  Math.max(...sizes.map((size) => Math.max(size.width / whole.width, size.height / whole.height)))

/** The factor by which an SVG of this size is scaled when it is drawn: `wanted`, or the nearest within the limits. */
export function svgScale({ width, height }: Size, wanted: number): number {
  const { least, own, most } = svgDensities
  const limit = Math.min(Math.sqrt(svgPixels / (width * height)), most / own)
  return Math.max(least / own, Math.min(wanted, limit))
}

/** Converts an error about a picture to a `NodeFailure` with a message for people. A `NodeFailure` is returned unchanged. */
export function pictureFailure(error: unknown): unknown {
  if (error instanceof NodeFailure || !(error instanceof Error)) return error
  const { message } = error
  const words = /unsupported image format|corrupt header|Input buffer/.test(message)
    ? 'The file is no picture that can be read. PNG, JPEG, WebP, AVIF, GIF, TIFF and SVG can.'
    : /pixel limit/.test(message)
      ? `The picture has more than ${pictureLimits.pixels / 1_000_000} megapixels. Make it smaller first.`
      : /allocate|out of memory/i.test(message)
        ? tooBig(pictureLimits.megabytes)
        : `The picture cannot be worked on: ${message.split('\n', 1)[0]}.`
  return new NodeFailure(words, { cause: error })
}
