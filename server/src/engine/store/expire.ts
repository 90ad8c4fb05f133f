// In charge of runs at rest that are older than an operator keeps them: they are deleted as a person deletes them, so that
// they can come back within the retention window; and of histories, which are cut at an age after which they are not restored any more.
import { atRest } from '@atelier/contract/graph/run-rules.ts'
import { runStatuses } from '@atelier/contract/graph/run-statuses.ts'
import { sql } from 'kysely'
import type { Database } from '../../platform/db.ts'
import type { Stamp } from '../../platform/tables.ts'
import { updateRun } from './runs.ts'

const batch = 50
const resting = [...runStatuses.filter(atRest), 'draft'] as const

/** Since a run was last changed, in seconds; null: for ever. */
export type RunsKept = { runs: number | null; history: number | null }

/**
 * Periodic, input-free, idempotent. What was exported stays, with its history: it is the record of what made those files.
 * Returns how many runs were deleted and how many checkpoints were removed.
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
    // Created before as well, which the index by creation finds: nothing changes before it is there.
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
 * Each history keeps how its run stood at the limit: the newest checkpoint before it, and those that this one is made of.
 * Points of the layout alone are no part of others, so that a history never begins with one.
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
