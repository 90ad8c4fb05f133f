// In charge of opening pictures of unknown origin, within bounds, with errors that say what to do.
import sharp, { type Sharp } from 'sharp'
import { NodeFailure } from '../node-type.ts'
import { pictureLimits, tooBig } from './limits.ts'

// A process of ours is one piece of work at a time: more threads in it would only take turns with those beside it.
sharp.concurrency(1)
sharp.cache(false)

/**
 * Passes on what work gives that reads what somebody has made: a picture is read where it is decoded, which is where
 * its size is asked for and where bytes of another are made of it. Whoever holds the clock is told by it.
 */
export type Reading = <T>(work: () => Promise<T>) => Promise<T>
/** For what has no clock, such as a measurement. */
export const untimed: Reading = (work) => work()

/** Upright, in sRGB, the first page of it. */
export function openPicture(bytes: Uint8Array, what: string): Sharp {
  if (bytes.length > pictureLimits.bytes) {
    throw new NodeFailure(`The ${what} has ${bytes.length} bytes; ${pictureLimits.bytes} is the most.`)
  }
  return sharp(bytes, { limitInputPixels: pictureLimits.pixels, failOn: 'error', pages: 1 }).autoOrient()
}

/** What went wrong with a picture, in words; a failure in words already stays what it is. */
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
