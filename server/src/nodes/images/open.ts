// In charge of opening pictures of unknown origin: it limits their size, and turns errors into messages that say what to do.
import sharp, { type Sharp } from 'sharp'
import { NodeFailure } from '../node-type.ts'
import { pictureLimits, tooBig } from './limits.ts'

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

/** Opens the first page of a picture, turned upright as its metadata says. `what`: the name of the picture in error messages. */
export function openPicture(bytes: Uint8Array, what: string): Sharp {
  if (bytes.length > pictureLimits.bytes) {
    throw new NodeFailure(`The ${what} has ${bytes.length} bytes; ${pictureLimits.bytes} is the most.`)
  }
  return sharp(bytes, { limitInputPixels: pictureLimits.pixels, failOn: 'error', pages: 1 }).autoOrient()
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
