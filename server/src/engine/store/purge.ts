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

/** How many rows of one table a transaction deletes. On the embedded database, they hold everybody up for about 0.1 s. */
const fewRows = 3000

/**
 * Tables that may have many rows for one run, with their column for it. A statement that deletes a run with 100,000 items deletes
 * their rows too, and on the embedded database, it held everybody up for 3.6 s. `order`: that of the primary key, without which
 * PostgreSQL may read a whole table to find the last rows of a run.
 */
const largeTables = [
  { table: 'checkpoint_units', column: 'subject_id', order: sql`at, node_id, item` },
  { table: 'run_states', column: 'run_id', order: sql`node_id, item` },
  { table: 'run_takes', column: 'run_id', order: sql`node_id, item` },
  { table: 'run_rolls', column: 'run_id', order: sql`node_id, item` },
  { table: 'run_answers', column: 'run_id', order: sql`node_id, item` },
]

/** Deletes some rows of a run. Returns whether there were any. */
async function deleteSomeRows(tx: Db, id: string): Promise<boolean> {
  for (const { table, column, order } of largeTables) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.ref(column)} = ${id} order by ${order} limit ${fewRows}))`.execute(
      tx,
    )
    if (numAffectedRows !== undefined && numAffectedRows > 0n) return true
  }
  return false
}

/**
 * Purges a run: first its units and its history, in several transactions if these are many, then the rest. The first one ends the
 * retention window, so nobody can see or restore a run that is purged in part. Returns 0 if the run is left for later, because
 * another transaction has locked it or because the process stops.
 */
async function purgeRun(database: Database, id: string, stopping?: AbortSignal): Promise<number> {
  for (;;) {
    const state = await database.tx(async (tx) => {
      const { rows } = await sql`
        select id from runs where id = ${id} and ${pastRetention(tx, 'runs')} for update skip locked`.execute(tx)
      if (rows.length === 0) return 'left'
      if ((await deleteSomeRows(tx, id)) || (await deleteSomeCheckpoints(tx, id, null)).isMore) {
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
