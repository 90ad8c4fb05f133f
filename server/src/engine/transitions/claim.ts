// In charge of handing a queued run to a worker: claiming the run, or recording why the run has to wait.
import { type Db, tellChanged } from '../../platform/db.ts'
import type { RunRow } from '../store/runs.ts'
import { columnsFor } from './states.ts'

/**
 * Claims a run for a worker if the run is still queued and still has the lease number of the wake-up. Returns undefined if
 * not, for example because another worker was faster.
 */
export async function claimRun(tx: Db, runId: string, lease: number, worker: string): Promise<RunRow | undefined> {
  const claimed = await tx
    .updateTable('runs')
    .set(columnsFor.claim(worker))
    .where('id', '=', runId)
    .where('lease', '=', lease)
    .where('status', '=', 'queued')
    .returningAll()
    .executeTakeFirst()
  if (claimed) tellChanged(tx, 'run', runId)
  return claimed
}

/** Records on a queued run why it waits. Returns false if the run is not queued any more or has another lease number. */
export async function setAside(tx: Db, runId: string, lease: number, why: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('runs')
    .set(columnsFor.setAside(why))
    .where('id', '=', runId)
    .where('lease', '=', lease)
    .where('status', '=', 'queued')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  tellChanged(tx, 'run', runId)
  return true
}
