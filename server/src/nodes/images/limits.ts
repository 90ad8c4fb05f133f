// In charge of the limits on pictures. The main process needs the limits too, so this file must not import a picture library.

/** Limits on a picture that is opened. 50 megapixels are enough for print; a file made to exhaust the memory has far more. */
export const pictureLimits = {
  bytes: 50_000_000,
  pixels: 50_000_000,
  /** The time limit for decoding a file of unknown origin, such as a photo or an SVG. */
  seconds: 30,
  /** The memory limit for a process that works on pictures. */
  megabytes: 2048,
} as const

/**
 * The signal by which a process that works on pictures ends itself if it uses more memory than it may. Linux kills it by SIGKILL if
 * the machine has too little memory, so another signal tells the two apart.
 */
export const memorySignal = 'SIGUSR2'

export const tooSlow = (seconds: number): string =>
  `The picture took longer than ${seconds} seconds. Make it smaller first.`
export const tooBig = (megabytes: number): string =>
  `The picture needs more than ${megabytes} MB of memory to work on. Make it smaller first.`
