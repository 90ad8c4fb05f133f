// In charge of the SQL that only the HTTP routes of runs need: checking tasks, deleting and restoring runs, and reading provenance.
import type { LockedRun } from '../../engine/store/runs.ts'
import { updateRun } from '../../engine/store/runs.ts'
import type { Db } from '../../platform/db.ts'

/**
 * Returns those of the ids that are ids of tasks, deleted tasks included: a run may belong to a deleted task, since the task may be
 * restored later.
 */
export async function knownTasks(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('tasks').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

export async function setRunDeleted(tx: Db, run: LockedRun, deletedAt: string | null): Promise<void> {
  await updateRun(tx, run.id, { deleted_at: deletedAt }, run.now)
}

/** Returns a creative's provenance as it is stored (null if there is none); undefined if the creative does not exist. */
export async function readProvenance(db: Db, creativeId: string): Promise<{ provenance: unknown } | undefined> {
  return db.selectFrom('creatives').select('provenance').where('id', '=', creativeId).executeTakeFirst()
}
