// In charge of the statements on runs that only their HTTP face needs: deleting, undeleting, the tasks they name.
import type { LockedRun } from '../../engine/store/runs.ts'
import { updateRun } from '../../engine/store/runs.ts'
import type { Db } from '../../platform/db.ts'

/** Which of these tasks are there; of deleted ones too, since a run may be for one that comes back. */
export async function knownTasks(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('tasks').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

export async function setRunDeleted(tx: Db, run: LockedRun, deletedAt: string | null): Promise<void> {
  await updateRun(tx, run.id, { deleted_at: deletedAt }, run.now)
}

/** What made a creative's file, as it was copied at the export; undefined where there is no such creative. */
export async function readProvenance(db: Db, creativeId: string): Promise<{ provenance: unknown } | undefined> {
  return db.selectFrom('creatives').select('provenance').where('id', '=', creativeId).executeTakeFirst()
}
