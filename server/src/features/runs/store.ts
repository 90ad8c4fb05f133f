// In charge of the SQL that only the HTTP routes of runs need: checking tasks, deleting and restoring runs, and reading provenance.
import { sql } from 'kysely'
import { holdAgain } from '../../engine/store/run-costs.ts'
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

/** Undeletes a locked run, which then reserves money again if it waits at a gate. */
export async function restoreDeleted(tx: Db, run: LockedRun): Promise<void> {
  if (run.status === 'awaiting_input') await holdAgain(tx, run)
  await setRunDeleted(tx, run, null)
}

/**
 * Returns a creative's provenance as it is stored; null if there is none, or if it is of another file than the present one.
 * Undefined if the creative does not exist. A provenance that does not name its file is of the present one.
 */
export async function readProvenance(db: Db, creativeId: string): Promise<{ provenance: unknown } | undefined> {
  const { rows } = await sql<{ provenance: unknown }>`
    select case when coalesce(provenance ->> 'file', file) is not distinct from file then provenance end as provenance
    from creatives where id = ${creativeId}`.execute(db)
  return rows[0]
}
