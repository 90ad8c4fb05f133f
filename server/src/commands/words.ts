// In charge of words that several commands print.

/** The first five of the names. */
export const firstOf = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** A number with the word for one or for several: `1 file`, `2 files`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`
