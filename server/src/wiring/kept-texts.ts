// In charge of filling in, checking and repairing the texts that the database keeps for its rows (platform/kept-texts.ts).

import { keptCards } from '../features/tasks/card-text.ts'
import { keptRefs } from '../features/tasks/launches/lookup-text.ts'
import type { Database } from '../platform/db.ts'
import { faultsOf, fillKept, type KeptFault, type KeptText, repairKept } from '../platform/kept-texts.ts'

export const keptTexts: readonly KeptText[] = [keptCards, keptRefs]

/**
 * A periodic job that fills in the missing texts of rows that were written before the database had triggers for these texts. Once
 * no text is missing, the job does nothing.
 */
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

/**
 * Finds texts that differ from those that their rows would produce now; returns at most a hundred for each kind of text. A missing
 * text is reported only with `missingToo`.
 */
export async function findFaults(database: Database, options: { missingToo?: boolean } = {}): Promise<FoundFault[]> {
  const found: FoundFault[] = []
  for (const kept of keptTexts) {
    for (const fault of await faultsOf(database.main, kept, options)) found.push({ ...fault, kept })
  }
  return found
}

/** Rebuilds all missing and faulty texts; returns the number of faulty ones. */
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
