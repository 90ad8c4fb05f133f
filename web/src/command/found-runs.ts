// In charge of joining the runs that the service has found for a text with the latest runs, whose states may contain the text. Pure.
import type { RunCard } from '../lib/types.ts'
import { cutWords } from '../ui/cut-list.ts'

type Page = { items: readonly RunCard[]; meta: { next_cursor: string | null } }
/** `isFound`: whether the service has found the run for the text. */
export type FoundRun = RunCard & { isFound: boolean }

/** How many runs are read: of those whose graph has the typed text in its name, and of the latest ones. */
export const someRuns = 50

/**
 * Returns the runs of both pages, each run once, and what is to be said of runs that were not read: null if there is nothing to say.
 */
export function foundRuns(
  found: Page | undefined,
  latest: Page | undefined,
): { runs: FoundRun[]; runsNote: string | null } {
  const named = found?.items ?? []
  const ids = new Set(named.map(({ id }) => id))
  const others = (latest?.items ?? []).filter(({ id }) => !ids.has(id))
  const runs = [
    ...named.map((run) => ({ ...run, isFound: true })),
    ...others.map((run) => ({ ...run, isFound: false })),
  ]
  return { runs, runsNote: noteOf(found, latest) }
}

function noteOf(found: Page | undefined, latest: Page | undefined): string | null {
  if (found && found.meta.next_cursor !== null) return cutWords(someRuns)
  const onlyLatest = (found?.items.length ?? 0) === 0
  return onlyLatest && latest && latest.meta.next_cursor !== null ? `Of the latest ${someRuns}` : null
}
