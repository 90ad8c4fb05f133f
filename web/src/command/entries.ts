// In charge of the entries that the command palette offers for a text, and of their order. Pure.
import type { IconName } from '../ui/icons.tsx'

export type Entry = {
  key: string
  icon: IconName
  title: string
  hint?: string | undefined
  /** The service found the entry, so it matches even if its title does not contain the text. */
  isFound?: boolean
  /** Choosing it leads to another step of the palette, which stays open. */
  leadsOn?: boolean
  act: () => void
}
export type Group = { title: string; entries: readonly Entry[] }

const [exact, begins, words, contains, found, none] = [0, 1, 2, 3, 4, 5]

/** How well a title fits the text: every typed word must begin a word of the title, or be contained in it. */
function rankOf({ title, isFound = false }: Entry, typed: string): number {
  const name = title.toLowerCase()
  if (name === typed) return exact
  if (name.startsWith(typed)) return begins
  const asked = typed.split(/\s+/)
  if (asked.every((word) => ` ${name}`.includes(` ${word}`))) return words
  if (asked.every((word) => name.includes(word))) return contains
  return isFound ? found : none
}

/** Without a text all entries in their given order; with a text the matching entries, the best first in each group. */
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

/** The entry that an arrow key leads to; after the last comes the first. */
export function stepped(entries: readonly Entry[], at: string | null, step: 1 | -1): string | null {
  if (entries.length === 0) return null
  const index = entries.findIndex(({ key }) => key === at)
  const next = index === -1 ? (step === 1 ? 0 : entries.length - 1) : (index + step + entries.length) % entries.length
  return entries[next]?.key ?? null
}
