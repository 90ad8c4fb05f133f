// In charge of how a person is shown where there is room for two letters.

/** First letters of the first and last word of a name. */
export function initialsOf(name: string | null): string {
  const words = (name ?? '').split(/\s+/).filter((word) => word !== '')
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : '']
  return ([...first][0] ?? '?').toUpperCase() + ([...last][0] ?? '').toUpperCase()
}

/** How many colours there are for people (`ui/tokens.css`). */
const hues = 8

/** The same colour for the same person, everywhere. */
export function hueOf(id: string): number {
  let sum = 0
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return sum % hues
}
