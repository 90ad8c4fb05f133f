// In charge of watching a run as the web app does: the state read before, merged with the changes, must equal the current state.
import { isDeepStrictEqual } from 'node:util'
import { mergeRun } from '@atelier/contract/graph/run-merge.ts'
import type { GraphRun } from '@atelier/contract/graphs.ts'
import { isText, readRun, readRunChanges } from '../../../src/engine/read/run-json.ts'
import { type Database, inSnapshot } from '../../../src/platform/db.ts'

export type Watcher = {
  /** Reads the changes since the last look; returns a problem if the merged run differs from the whole run of the same moment. */
  look(): Promise<string[]>
}

/** `seen` counts how many looks got the whole run, and how many got only changes. */
export function createWatcher(
  { main }: Pick<Database, 'main'>,
  id: string,
  seen: Record<string, number> = {},
): Watcher {
  let held: { run: GraphRun; since: string } | null = null
  return {
    async look() {
      const since = held?.since
      const { whole, found } = await inSnapshot(main, async (tx) => ({
        whole: (await readRun(tx, id))?.run,
        found: await readRunChanges(tx, id, { since }),
      }))
      if (!whole || !found) throw new Error(`The run ${id} is gone.`)
      const { changes } = found
      if (isText(changes)) throw new Error(`The run ${id} is larger than these histories make one.`)
      const told = changes.whole ? 'told the whole' : 'told changes'
      seen[told] = (seen[told] ?? 0) + 1
      const before = held
      held = { run: mergeRun(before?.run ?? null, changes), since: changes.since }
      if (isDeepStrictEqual(held.run, whole)) return []
      const parts = { before, changes, merged: held.run, whole }
      return [`what changed does not come to the run as it is: ${JSON.stringify(parts)}`]
    },
  }
}
