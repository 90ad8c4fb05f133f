// In charge of the limits on pictures. The main process reads them too, so this file loads no picture library.

/** Limits on a picture that is opened. 50 megapixels are enough for print; a decompression bomb has far more. */
export const pictureLimits = {
  bytes: 50_000_000,
  pixels: 50_000_000,
  /** The time limit for reading a file of unknown origin: decoding a photo, or drawing an SVG. */
  seconds: 30,
  /** The memory limit for all work on one picture. */
  megabytes: 2048,
} as const

export const tooSlow = (seconds: number): string =>
  `The picture took longer than ${seconds} seconds. Make it smaller first.`
export const tooBig = (megabytes: number): string =>
  `The picture needs more than ${megabytes} MB of memory to work on. Make it smaller first.`
