// In charge of purging graphs after their retention window, together with their history and their references to files.

import { sql } from 'kysely'
import { deleteSomeCheckpoints } from '../../engine/store/checkpoints.ts'
import type { Database, Db } from '../../platform/db.ts'
import { endRetention, pastRetention } from '../../platform/retention.ts'

/**
 * Purges graphs whose retention window is over, one after the other, until none is left or `stopping` is aborted. Returns how many
 * were purged.
 */
export async function purgeGraphs(database: Database, stopping?: AbortSignal): Promise<number> {
  let removed = 0
  for (;;) {
    const done = await database.tx(purgeNext)
    if (done === 'purged') removed += 1
    if (done === 'none' || stopping?.aborted) return removed
  }
}

/**
 * Deletes a graph whose retention window is over or, if its history is long, a part of this history, so that locks are brief. The
 * graph goes with the last part; until then nobody can read or restore it. A graph that another transaction has locked, for example
 * to restore it, is skipped. The id is stored in the table `purged`, so that a later request to restore the graph is told that the
 * window is over, and not that there is no such graph.
 */
async function purgeNext(tx: Db): Promise<'none' | 'part' | 'purged'> {
  const { rows } = await sql<{ id: string }>`
    select id from graphs
    where deleted_at is not null and ${pastRetention(tx, 'graphs')}
    order by deleted_at limit 1 for update skip locked`.execute(tx)
  const [due] = rows
  if (!due) return 'none'
  const { isMore } = await deleteSomeCheckpoints(tx, due.id, null)
  if (isMore) {
    await endRetention(tx, 'graphs', [due.id])
    return 'part'
  }
  await sql`
    with noted as (insert into purged (id) values (${due.id}::uuid) on conflict do nothing),
    released as (delete from file_uses where used_by = 'graph' and user_key = ${due.id})
    delete from graphs where id = ${due.id}::uuid`.execute(tx)
  return 'purged'
}
