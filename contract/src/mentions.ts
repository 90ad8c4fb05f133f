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
  const byLength = namesOf(people)
  for (let at = text.indexOf('@'); at >= 0 && found.size < mostMentioned; at = text.indexOf('@', at + 1)) {
    if (isOfWord(text[at - 1])) continue
    for (const id of namedAt(text, at + 1, byLength)) if (found.size < mostMentioned) found.add(id)
  }
  return [...found]
}

/** For each length of names, longest first: the names of that length in lower case, each with the ids of the people who have it. */
type Names = [length: number, named: Map<string, string[]>][]

/** Sorts people by their names once for a text, since a text may have an `@` at every place, and a workspace thousands of people. */
function namesOf(people: readonly Named[]): Names {
  const byLength = new Map<number, Map<string, string[]>>()
  for (const { id, name: given } of people) {
    const name = given?.trim() ?? ''
    if (name === '') continue
    const named = byLength.get(name.length) ?? new Map<string, string[]>()
    byLength.set(name.length, named)
    const ids = named.get(name.toLowerCase())
    if (ids) ids.push(id)
    else named.set(name.toLowerCase(), [id])
  }
  return [...byLength].toSorted(([one], [other]) => other - one)
}

function namedAt(text: string, from: number, byLength: Names): readonly string[] {
  for (const [length, named] of byLength) {
    const end = from + length
    const ids = named.get(text.slice(from, end).toLowerCase())
    if (ids && !isOfWord(text[end])) return ids
  }
  return []
}

/** The text between the last `@` and the caret, and the position where that text begins; null if no mention is being typed. */
export function mentionBegun(text: string, caret: number): { from: number; begun: string } | null {
  const from = text.lastIndexOf('@', caret - 1)
  if (from < 0 || isOfWord(text[from - 1])) return null
  const begun = text.slice(from + 1, caret)
  return begun.length > 60 || begun.includes('\n') ? null : { from, begun }
}
