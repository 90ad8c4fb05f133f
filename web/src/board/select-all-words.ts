// In charge of the words of the button that selects all cards of a column. Pure.

/** `total`: how many cards the column has; null if that is not known. `most`: how many are selected at once at most. */
export function allWords(total: number | null, most: number, column: string): string {
  if (total === null) return `Select all in ${column}`
  return total > most
    ? `Select the first ${most} of ${total.toLocaleString('en')} in ${column}`
    : `Select all ${total} in ${column}`
}

export const moreWords = (count: number, column: string): string =>
  `${count} cards selected. ${column} has more than are selected at once.`
