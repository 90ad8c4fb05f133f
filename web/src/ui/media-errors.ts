// In charge of telling what an error of a picture, film or sound is about, its file or the connection, and when to load it again. Pure.
import type { PictureDelivery } from '../lib/reachable.ts'

// These are the values of MEDIA_ERR_DECODE and MEDIA_ERR_SRC_NOT_SUPPORTED.
const decode = 3
const notSupported = 4

/**
 * Whether an error is about the file, which the browser cannot show then, or about the connection. Browsers report “not supported”
 * in both cases: of a file that was loaded before, this means the connection, otherwise it is unknown what it means. `code` is
 * undefined if the browser gives none.
 */
export function causeOf(code: number | undefined, wasLoaded: boolean): 'file' | 'connection' | 'unknown' {
  if (code === decode) return 'file'
  return code === notSupported && !wasLoaded ? 'unknown' : 'connection'
}

/**
 * What to do about a file that was never loaded and could not be shown. `delivery`: whether the service sends it now; `wasDoubted`:
 * whether the error before led to `once more`. That a file is sent now does not mean that it came when it was to be shown, so it
 * is loaded once more. Only if that fails too, the browser cannot show it, unless it could be decoded now.
 */
export function stepAfter({ delivery, wasDoubted }: { delivery: PictureDelivery; wasDoubted: boolean }): Step {
  if (delivery === 'gone') return 'gone'
  if (delivery === 'unreached') return 'wait'
  return wasDoubted && delivery === 'sent' ? 'give up' : 'once more'
}
export type Step = 'wait' | 'once more' | 'give up' | 'gone'

/** Why there is nothing to be shown. What is gone is not loaded again; what could not be reached is, at once by `tryAgain`. */
export type Absent = { isGone: true } | { isGone: false; tryAgain: () => void }
export const absentOf = (isGone: boolean, tryAgain: () => void): Absent => (isGone ? { isGone } : { isGone, tryAgain })

const longestMs = 30_000

/** How long to wait, in ms, before the file is loaded again after `failed` attempts that failed one after the other. */
export const reloadAfterMs = (failed: number): number => Math.min(longestMs, 250 * 2 ** failed)
