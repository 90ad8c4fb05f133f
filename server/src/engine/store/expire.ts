// In charge of deleting runs that are older than the operator wants to keep. They are deleted as a person would delete them,
// so they can be restored within the retention window. The histories of runs have an age limit of their own: checkpoints that
// are older than this limit are removed.
import { atRest } from '@atelier/contract/graph/run-rules.ts'
import { runStatuses } from '@atelier/contract/graph/run-statuses.ts'
import { sql } from 'kysely'
import type { Database } from '../../platform/db.ts'
import type { Stamp } from '../../platform/tables.ts'
import { updateRun } from './runs.ts'

const batch = 50
const resting = [...runStatuses.filter(atRest), 'draft'] as const

/**
 * `runs`: for how many seconds after its last change a run is kept; `history`: for how many seconds checkpoints are kept. Null
 * means that they are kept for ever.
 */
export type RunsKept = { runs: number | null; history: number | null }

/**
 * Deletes runs that have not changed for too long, and shortens histories; called periodically. Exported runs stay, with their
 * histories, since they record how the exported files were made. Returns how many runs were deleted and how many checkpoints
 * were removed.
 */
export async function expireRuns(
  database: Database,
  { runs, history }: RunsKept,
  stopping?: AbortSignal,
): Promise<{ runs: number; checkpoints: number }> {
  return {
    runs: runs === null ? 0 : await deleteRested(database, runs, stopping),
    checkpoints: history === null || stopping?.aborted ? 0 : await cutHistories(database, history),
  }
}

async function deleteRested(database: Database, seconds: number, stopping?: AbortSignal): Promise<number> {
  let gone = 0
  for (;;) {
    if (stopping?.aborted) return gone
    const deleted = await deleteBatch(database, seconds)
    gone += deleted
    if (deleted < batch) return gone
  }
}

async function deleteBatch(database: Database, seconds: number): Promise<number> {
  return database.tx(async (tx) => {
    // The condition on `created_at` follows from the one on `updated_at`; it is there so that the index on `created_at` can
    // be used.
    const { rows } = await sql<{ id: string; now: Stamp }>`
      select id, now_ms() as now from runs
      where created_at < now_ms() - make_interval(secs => ${seconds})
        and updated_at < now_ms() - make_interval(secs => ${seconds})
        and status = any(${resting}::text[]) and exported_at is null and deleted_at is null
      order by created_at, id limit ${batch} for update skip locked`.execute(tx)
    for (const { id, now } of rows) await updateRun(tx, id, { deleted_at: now }, now)
    return rows.length
  })
}

/**
 * Removes checkpoints that are older than `seconds`. Each history still contains the state that its run had at that time: the
 * newest of the older checkpoints stays, with the checkpoints that it is based on. A layout checkpoint does not count as this
 * newest one, since nothing is based on it.
 */
async function cutHistories(database: Database, seconds: number): Promise<number> {
  return database.tx(async (tx) => {
    const { numAffectedRows } = await sql`
      with begins as (
        select distinct on (c.subject_id) c.subject_id, coalesce(c.full_at, c.at) as at
        from checkpoints c join runs r on r.id = c.subject_id
        where c.at < now_ms() - make_interval(secs => ${seconds}) and c.kind <> 'layout'
          and r.status = any(${resting}::text[]) and r.exported_at is null
        order by c.subject_id, c.at desc)
      delete from checkpoints c using begins b where c.subject_id = b.subject_id and c.at < b.at`.execute(tx)
    return Number(numAffectedRows ?? 0)
  })
}
