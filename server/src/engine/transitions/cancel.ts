// In charge of stopping runs: at once where no worker has it, within a stated bound where one has.
import { atRest, runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { Db } from '../../platform/db.ts'
import { type LockedRun, tellHolder, updateRun } from '../store/runs.ts'
import { bringToRest, cancelledEnding } from './rest.ts'
import { columnsFor } from './states.ts'

/** A worker is asked, so that what it has paid for is kept; the sweep sees to it that it heeds. A draft or a run at rest stays. */
export async function cancelRun(tx: Db, run: LockedRun): Promise<void> {
  const refusal = runRefuses.cancel(run)
  if (refusal) throw new Refusal(refusal, `The run ${run.id} is deleted; undelete it before you cancel it.`)
  if (atRest(run.status) || run.status === 'draft' || run.cancel_requested_at !== null) return
  await updateRun(tx, run.id, columnsFor.cancel(run.now), run.now)
  if (run.status === 'running') return tellHolder(tx, run.id)
  await bringToRest(tx, { ...run, cancel_requested_at: run.now }, cancelledEnding)
}
