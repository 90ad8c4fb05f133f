// In charge of telling what an error of a film or sound is about, its file or the connection, and when to load it again. Pure.

// These are the values of MEDIA_ERR_DECODE and MEDIA_ERR_SRC_NOT_SUPPORTED.
const decode = 3
const notSupported = 4

/**
 * Whether the browser cannot show the file. Browsers also report “not supported” if an address is not answered; of a file that was
 * loaded before, this means only that. `code` is undefined if the browser gives none.
 */
export const isOfFile = (code: number | undefined, wasLoaded: boolean): boolean =>
  code === decode || (code === notSupported && !wasLoaded)

const longestMs = 30_000

/** How long to wait, in ms, before the file is loaded again after `failed` attempts that failed one after the other. */
export const reloadAfterMs = (failed: number): number => Math.min(longestMs, 250 * 2 ** failed)
