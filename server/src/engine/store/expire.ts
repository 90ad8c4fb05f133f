// In charge of deleting runs that are older than the operator wants to keep. They are deleted as a person would delete them,
// so they can be restored within the retention window. The histories of runs have an age limit of their own: checkpoints that
// are older than this limit are removed.
import { atRest } from '@atelier/contract/graph/run-rules.ts'
import { runStatuses } from '@atelier/contract/graph/run-statuses.ts'
import { sql } from 'kysely'
import type { Database, Db } from '../../platform/db.ts'
import { pagesOf } from '../../platform/pages.ts'
import type { Stamp } from '../../platform/tables.ts'
import { deleteSomeCheckpoints } from './checkpoints.ts'
import { oneByOne } from './one-by-one.ts'
import { keepVariant } from './run-variant.ts'
import { type RunRow, updateRun } from './runs.ts'

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
    runs: runs === null || stopping?.aborted ? 0 : await deleteRested(database, runs, stopping),
    checkpoints: history === null || stopping?.aborted ? 0 : await cutHistories(database, history, stopping),
  }
}

type Rested = { id: string; created_at: Stamp }

async function deleteRested(database: Database, seconds: number, stopping?: AbortSignal): Promise<number> {
  let gone = 0
  for await (const deleted of pagesOf<Rested>(batch, (last) => deleteBatch(database, seconds, last))) {
    gone += deleted.length
    if (stopping?.aborted) break
  }
  return gone
}

/** Deletes the oldest of the runs that were created after `last`, which was deleted last; undefined at first. */
async function deleteBatch(database: Database, seconds: number, last: Rested | undefined): Promise<Rested[]> {
  return database.tx(async (tx) => {
    // The condition on `created_at` follows from the one on `updated_at`; it is there so that the index on `created_at` can
    // be used. That needs `now()` (docs/migrations.md).
    const { rows } = await sql<Rested & { now: Stamp }>`
      select id, created_at, now_ms() as now from runs
      where created_at < now() - make_interval(secs => ${seconds})
        and updated_at < now() - make_interval(secs => ${seconds})
        and status = any(${resting}::text[]) and exported_at is null and deleted_at is null
        ${last ? sql`and (created_at, id) > (${last.created_at}::timestamptz, ${last.id}::uuid)` : sql``}
      order by created_at, id limit ${batch} for update skip locked`.execute(tx)
    for (const { id, now } of rows) await updateRun(tx, id, { deleted_at: now }, now)
    return rows
  })
}

/** How many runs one statement looks up. */
const page = 500

/**
 * Removes checkpoints that are older than `seconds`. Each history still contains the state that its run had at that time: the
 * newest of the older checkpoints stays, with the checkpoints that it is based on. A layout checkpoint does not count as this
 * newest one, since nothing is based on it. Each run is handled in transactions of its own, so that locks are brief, and a
 * history that cannot be cut does not keep the others.
 */
async function cutHistories(database: Database, seconds: number, stopping?: AbortSignal): Promise<number> {
  return oneByOne(longHistories(database.main, seconds), (id) => cutHistory(database, id, seconds, stopping), stopping)
}

/** The time of the oldest checkpoint that stays in the history of a run `r`; null if all checkpoints stay. */
const beginOf = (seconds: number) => sql<Stamp | null>`(
  select coalesce(c.full_at, c.at) from checkpoints c
  where c.subject_id = r.id and c.at < now() - make_interval(secs => ${seconds}) and c.kind <> 'layout'
  order by c.at desc limit 1)`

const isToBeCut = (seconds: number) => sql<boolean>`(
  r.status = any(${resting}::text[]) and r.exported_at is null
  and exists (select from checkpoints c where c.subject_id = r.id and c.at < ${beginOf(seconds)}))`

/** The runs whose histories are to be cut. They are looked for among a page of all runs at a time. */
async function* longHistories(db: Db, seconds: number): AsyncGenerator<string[]> {
  const pages = pagesOf<{ id: string; found: boolean }>(page, async (last) => {
    const { rows } = await sql<{ id: string; found: boolean }>`
      select r.id, ${isToBeCut(seconds)} as found from runs r
      ${last ? sql`where r.id > ${last.id}` : sql``}
      order by r.id limit ${page}`.execute(db)
    return rows
  })
  for await (const rows of pages) yield rows.filter(({ found }) => found).map(({ id }) => id)
}

type Cut = Pick<RunRow, 'id' | 'for_variant'> & { begin: Stamp }

/**
 * Cuts the history of one run, and returns how many checkpoints were removed. Each transaction locks the run, so that no
 * checkpoint is removed while the run is restored from it; a run that is locked is left for the next time.
 */
async function cutHistory(database: Database, id: string, seconds: number, stopping?: AbortSignal): Promise<number> {
  for (let gone = 0; ; ) {
    const { deleted, isMore } = await database.tx(async (tx) => {
      const { rows } = await sql<Cut>`
        select r.id, r.for_variant, ${beginOf(seconds)} as begin from runs r
        where r.id = ${id} and ${isToBeCut(seconds)} for update skip locked`.execute(tx)
      const [found] = rows
      if (!found) return { deleted: 0, isMore: false }
      await keepVariant(tx, found)
      return deleteSomeCheckpoints(tx, id, found.begin)
    })
    gone += deleted
    if (!isMore || stopping?.aborted) return gone
  }
}
