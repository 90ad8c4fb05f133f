// In charge of all texts that the database keeps (platform/kept-texts.ts): filling in, checking, repairing.

import { keptCards } from '../features/tasks/card-text.ts'
import { keptRefs } from '../features/tasks/launches/lookup-text.ts'
import type { Database } from '../platform/db.ts'
import { faultsOf, fillKept, type KeptFault, type KeptText, repairKept } from '../platform/kept-texts.ts'

export const keptTexts: readonly KeptText[] = [keptCards, keptRefs]

/** Periodic: fills in texts of rows older than the triggers, until none is missing; after that it does nothing. */
export function keptTextsFiller(database: Database): (stopping?: AbortSignal) => Promise<void> {
  let isDone = false
  return async (stopping) => {
    if (isDone) return
    let filled = 0
    for (const kept of keptTexts) filled += await fillKept(database, kept, stopping)
    isDone = filled === 0 && !stopping?.aborted
  }
}

export type FoundFault = KeptFault & { kept: KeptText }

/** Texts that differ from what would be built now; at most a hundred of each kind. */
export async function findFaults(database: Database, options: { missingToo?: boolean } = {}): Promise<FoundFault[]> {
  const found: FoundFault[] = []
  for (const kept of keptTexts) {
    for (const fault of await faultsOf(database.main, kept, options)) found.push({ ...fault, kept })
  }
  return found
}

/** Rebuilds faulty and missing texts until none is left; returns how many were faulty. */
export async function repairAll(database: Database): Promise<number> {
  let repaired = 0
  for (const kept of keptTexts) {
    await fillKept(database, kept)
    for (;;) {
      const ids = (await faultsOf(database.main, kept, { most: 500 })).map(({ id }) => id)
      if (ids.length === 0) break
      await database.tx((tx) => repairKept(tx, kept, ids))
      repaired += ids.length
    }
  }
  return repaired
}
