// In charge of the initials and the colour by which a person is shown.

/** The first letters of a person's first and last name. */
export function initialsOf(name: string | null): string {
  const words = (name ?? '').split(/\s+/).filter((word) => word !== '')
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : '']
  return ([...first][0] ?? '?').toUpperCase() + ([...last][0] ?? '').toUpperCase()
}

/** The number of different colours for persons, which `ui/tokens.css` defines. */
const hues = 8

/** The number of a person's colour; it is always the same for the same person. */
export function hueOf(id: string): number {
  let sum = 0
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return sum % hues
}
