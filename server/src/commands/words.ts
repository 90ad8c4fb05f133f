// In charge of words that several commands print.

/** The first five of the names. */
export const firstOf = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
