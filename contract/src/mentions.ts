// In charge of finding mentions in a text: an `@` followed by the name of a person in the workspace. Pure.

type Named = { id: string; name: string | null }

/** The maximum number of people that one text can mention; further mentions are ignored. */
export const mostMentioned = 20

const isOfWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{Letter}\p{Number}_]/u.test(character)

/**
 * Returns the ids of the people whose names follow an `@`; upper and lower case do not matter. If several names match at one `@`,
 * only the longest counts; if several people have it, all of them are mentioned. An `@` after a letter or digit, as in an e-mail
 * address, is no mention.
 */
export function mentionedIn(text: string, people: readonly Named[]): string[] {
  const found = new Set<string>()
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (isOfWord(text[at - 1])) continue
    for (const { id } of namedAt(text, at + 1, people)) if (found.size < mostMentioned) found.add(id)
  }
  return [...found]
}

function namedAt(text: string, from: number, people: readonly Named[]): Named[] {
  let length = 1
  let longest: Named[] = []
  for (const person of people) {
    const name = person.name?.trim() ?? ''
    const end = from + name.length
    if (name.length < length || isOfWord(text[end])) continue
    if (text.slice(from, end).toLowerCase() !== name.toLowerCase()) continue
    longest = name.length === length ? [...longest, person] : [person]
    length = name.length
  }
  return longest
}

/** The text between the last `@` and the caret, and the position where that text begins; null if no mention is being typed. */
export function mentionBegun(text: string, caret: number): { from: number; begun: string } | null {
  const from = text.lastIndexOf('@', caret - 1)
  if (from < 0 || isOfWord(text[from - 1])) return null
  const begun = text.slice(from + 1, caret)
  return begun.length > 60 || begun.includes('\n') ? null : { from, begun }
}
