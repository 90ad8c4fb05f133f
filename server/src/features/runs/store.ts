// In charge of the statements on runs that only the HTTP face needs: deleting, restoring, and the tasks that runs refer to.
import type { LockedRun } from '../../engine/store/runs.ts'
import { updateRun } from '../../engine/store/runs.ts'
import type { Db } from '../../platform/db.ts'

/** The existing tasks among these ids. Deleted tasks are included, since a run may be for a task that is restored later. */
export async function knownTasks(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('tasks').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

export async function setRunDeleted(tx: Db, run: LockedRun, deletedAt: string | null): Promise<void> {
  await updateRun(tx, run.id, { deleted_at: deletedAt }, run.now)
}

/** The provenance of a creative, as it was stored at the export; undefined if the creative does not exist. */
export async function readProvenance(db: Db, creativeId: string): Promise<{ provenance: unknown } | undefined> {
  return db.selectFrom('creatives').select('provenance').where('id', '=', creativeId).executeTakeFirst()
}
