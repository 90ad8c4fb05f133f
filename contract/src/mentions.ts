// In charge of who is mentioned in a text: `@` and the name of a person, as the list of people has it. Pure.

type Named = { id: string; name: string | null }

/** People that one text mentions at most; more are left out. */
export const mostMentioned = 20

const isOfWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{Letter}\p{Number}_]/u.test(character)

/**
 * The ids of those whose name follows an `@`, in whatever case. Of names that begin alike the longest counts; a name that
 * several people have means all of them. An `@` within a word, as in an address of mail, means nobody.
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

/** What is being written after the last `@` before the caret, and where it begins; null where nobody is being named. */
export function mentionBegun(text: string, caret: number): { from: number; begun: string } | null {
  const from = text.lastIndexOf('@', caret - 1)
  if (from < 0 || isOfWord(text[from - 1])) return null
  const begun = text.slice(from + 1, caret)
  return begun.length > 60 || begun.includes('\n') ? null : { from, begun }
}
