// In charge of purging runs that were deleted longer ago than the retention window, with everything that belongs only to them.

import { sql } from 'kysely'
import type { Database } from '../../platform/db.ts'
import { pastRetention } from '../../platform/retention.ts'
import { deleteCheckpoints } from './checkpoints.ts'

const batch = 50

/**
 * Purges runs whose retention window is over; called periodically. The ledger entries of the runs stay, as the record of what
 * was spent. Returns how many runs were purged.
 */
export async function purgeRuns(database: Database, stopping?: AbortSignal): Promise<number> {
  let gone = 0
  for (;;) {
    if (stopping?.aborted) break
    const removed = await database.tx(async (tx) => {
      const { rows } = await sql<{ id: string }>`
        select id from runs where ${pastRetention(tx, 'runs')}
        order by deleted_at limit ${batch} for update skip locked`.execute(tx)
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return 0
      await deleteCheckpoints(tx, ids)
      await tx.deleteFrom('file_uses').where('used_by', '=', 'run').where('user_key', 'in', ids).execute()
      await tx.deleteFrom('exports').where('run_id', 'in', ids).execute()
      await tx.deleteFrom('runs').where('id', 'in', ids).execute()
      return ids.length
    })
    gone += removed
    if (removed < batch) break
  }
  return gone
}
