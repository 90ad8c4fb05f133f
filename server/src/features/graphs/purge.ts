// In charge of purging graphs after their retention window, together with their history and their references to files.

import { sql } from 'kysely'
import { deleteCheckpoints } from '../../engine/store/checkpoints.ts'
import type { Database, Db } from '../../platform/db.ts'
import { pastRetention } from '../../platform/retention.ts'

/**
 * How many graphs one transaction purges. The number is small, so that locks are brief. A graph that another transaction has
 * locked, for example to restore it, is skipped.
 */
const batch = 50

/**
 * Purges graphs whose retention window is over, a batch at a time, until none is left or `stopping` is aborted. Returns how many
 * were purged.
 */
export async function purgeGraphs(database: Database, stopping?: AbortSignal): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await database.tx((tx) => purgeBatch(tx))
    removed += count
    if (count === 0 || stopping?.aborted) return removed
  }
}

/**
 * Deletes some graphs whose retention window is over, and returns their number. Their ids are stored in the table `purged`, so that
 * a later request to restore such a graph is told that the window is over, and not that there is no such graph.
 */
async function purgeBatch(tx: Db): Promise<number> {
  const gone = await sql<{ id: string }>`
    with due as materialized (
      select id from graphs
      where deleted_at is not null and ${pastRetention(tx, 'graphs')}
      order by deleted_at limit ${batch} for update skip locked
    ),
    noted as (insert into purged (id) select id from due on conflict do nothing),
    released as (
      delete from file_uses where used_by = 'graph' and user_key in (select id::text from due)
    )
    delete from graphs where id in (select id from due) returning id`.execute(tx)
  const ids = gone.rows.map(({ id }) => id)
  await deleteCheckpoints(tx, ids)
  return ids.length
}
