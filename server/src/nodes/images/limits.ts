// In charge of the bounds of pictures: known outside the processes that work on them too, which load no library for them.

/** What is opened at all. 50 megapixels are a print-size photo; a decompression bomb has a thousand times more. */
export const pictureLimits = {
  bytes: 50_000_000,
  pixels: 50_000_000,
  /** For reading what somebody has made: decoding a photo, drawing an SVG. */
  seconds: 30,
  /** Of memory, for all that is done to a picture at once. */
  megabytes: 2048,
} as const

export const tooSlow = (seconds: number): string =>
  `The picture took longer than ${seconds} seconds. Make it smaller first.`
export const tooBig = (megabytes: number): string =>
  `The picture needs more than ${megabytes} MB of memory to work on. Make it smaller first.`
