// In charge of finding the entries of the command palette that match a text, and of sorting them. Pure.
import type { IconName } from '../ui/icons.tsx'

export type Entry = {
  key: string
  icon: IconName
  title: string
  hint?: string | undefined
  /** Whether the service found the entry for the typed text; such an entry matches even if its title does not contain the text. */
  isFound?: boolean
  /** Whether the entry leads to another step of the palette; the palette then stays open. */
  leadsOn?: boolean
  act: () => void
}
export type Group = { title: string; entries: readonly Entry[] }

const [exact, begins, words, contains, found, none] = [0, 1, 2, 3, 4, 5]

/**
 * How well an entry matches the text; a lower number is a better match. An entry whose title does not contain all typed words
 * matches only if the service found the entry.
 */
function rankOf({ title, isFound = false }: Entry, typed: string): number {
  const name = title.toLowerCase()
  if (name === typed) return exact
  if (name.startsWith(typed)) return begins
  const asked = typed.split(/\s+/)
  if (asked.every((word) => ` ${name}`.includes(` ${word}`))) return words
  if (asked.every((word) => name.includes(word))) return contains
  return isFound ? found : none
}

/** If no text is typed, all entries in their given order; otherwise the matching entries of each group, the best ones first. */
export function fittingGroups(groups: readonly Group[], search: string): Group[] {
  const typed = search.trim().toLowerCase()
  if (typed === '') return groups.filter(({ entries }) => entries.length > 0)
  return groups.flatMap(({ title, entries }) => {
    const fitting = entries
      .map((entry) => ({ entry, rank: rankOf(entry, typed) }))
      .filter(({ rank }) => rank < none)
      .toSorted((a, b) => a.rank - b.rank)
    return fitting.length === 0 ? [] : [{ title, entries: fitting.map(({ entry }) => entry) }]
  })
}

export const entriesOf = (groups: readonly Group[]): Entry[] => groups.flatMap(({ entries }) => entries)

/**
 * The key of the entry to which an arrow key moves from the entry with the key `at`; null if there are no entries. `step` 1 moves
 * down, and from the last entry to the first; -1 moves up, and from the first entry to the last. If `at` is null, 1 leads to the
 * first entry, and -1 to the last.
 */
export function stepped(entries: readonly Entry[], at: string | null, step: 1 | -1): string | null {
  if (entries.length === 0) return null
  const index = entries.findIndex(({ key }) => key === at)
  const next = index === -1 ? (step === 1 ? 0 : entries.length - 1) : (index + step + entries.length) % entries.length
  return entries[next]?.key ?? null
}
