// In charge of the name, the initials and the colour by which a person is shown, and of the name of whoever has done something. Pure.

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

/** The name of a person, or “Unnamed” while the identity provider has not sent a name. */
export const personName = ({ name }: { name: string | null }): string => name ?? 'Unnamed'

/** The name of whoever has written or decided something; only an integration has no `user_id`. */
export const authorName = (by: { user_id: string | null; name: string | null }): string =>
  by.user_id === null ? (by.name ?? 'An integration') : personName(by)
