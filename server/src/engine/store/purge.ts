// In charge of purging runs that were deleted longer ago than the retention window, with everything that belongs only to them.

import { sql } from 'kysely'
import type { Database, Db } from '../../platform/db.ts'
import { pagesOf } from '../../platform/pages.ts'
import { endRetention, pastRetention } from '../../platform/retention.ts'
import type { Stamp } from '../../platform/tables.ts'
import { deleteSomeCheckpoints } from './checkpoints.ts'
import { oneByOne } from './one-by-one.ts'

/** How many runs one statement looks up. */
const page = 500

/**
 * Purges runs whose retention window is over; called periodically. Each run is purged in transactions of its own, so that locks
 * are brief, and a run that cannot be purged does not keep the others. The ledger entries of the runs stay, as the record of
 * what was spent. Returns how many runs were purged.
 */
export async function purgeRuns(database: Database, stopping?: AbortSignal): Promise<number> {
  return oneByOne(dueRuns(database.main), (id) => purgeRun(database, id, stopping), stopping)
}

type Due = { id: string; at: Stamp }

async function* dueRuns(db: Db): AsyncGenerator<string[]> {
  const pages = pagesOf<Due>(page, async (last) => {
    const { rows } = await sql<Due>`
      select id, deleted_at as at from runs
      where ${pastRetention(db, 'runs')}
        ${last ? sql`and (deleted_at, id) > (${last.at}::timestamptz, ${last.id}::uuid)` : sql``}
      order by deleted_at, id limit ${page}`.execute(db)
    return rows
  })
  for await (const rows of pages) yield rows.map(({ id }) => id)
}

/**
 * Purges a run: first its history, in several transactions if it is long, then the rest. Returns 0 if the run is left for
 * later, because another transaction has locked it or because the process stops.
 */
async function purgeRun(database: Database, id: string, stopping?: AbortSignal): Promise<number> {
  for (;;) {
    const state = await database.tx(async (tx) => {
      const { rows } = await sql`
        select id from runs where id = ${id} and ${pastRetention(tx, 'runs')} for update skip locked`.execute(tx)
      if (rows.length === 0) return 'left'
      const { isMore } = await deleteSomeCheckpoints(tx, id, null)
      if (isMore) {
        await endRetention(tx, 'runs', [id])
        return 'more'
      }
      await deleteRun(tx, id)
      return 'purged'
    })
    if (state === 'purged') return 1
    if (state === 'left' || stopping?.aborted) return 0
  }
}

/** Deletes a run that has no history left. Stores its id: a later undelete is then refused because the retention window is over. */
async function deleteRun(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('file_uses').where('used_by', '=', 'run').where('user_key', '=', id).execute()
  await tx.deleteFrom('exports').where('run_id', '=', id).execute()
  await tx.deleteFrom('runs').where('id', '=', id).execute()
  await tx
    .insertInto('purged')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
