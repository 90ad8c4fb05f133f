// In charge of cancelling runs: at once where no worker has the run, within a stated time where one has.
import { atRest, runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { Db } from '../../platform/db.ts'
import { type LockedRun, notifyWorker, updateRun } from '../store/runs.ts'
import { cancelledEnding, endRun } from './rest.ts'
import { columnsFor } from './states.ts'

/**
 * The worker is asked to stop, so that results it has paid for are kept; if it does not, the reconciler ends the run. A
 * draft or a run at rest is left as it is.
 */
export async function cancelRun(tx: Db, run: LockedRun): Promise<void> {
  const refusal = runRefuses.cancel(run)
  if (refusal) throw new Refusal(refusal, `The run ${run.id} is deleted; undelete it before you cancel it.`)
  if (atRest(run.status) || run.status === 'draft' || run.cancel_requested_at !== null) return
  await updateRun(tx, run.id, columnsFor.cancel(run.now), run.now)
  if (run.status === 'running') return notifyWorker(tx, run.id)
  await endRun(tx, { ...run, cancel_requested_at: run.now }, cancelledEnding)
}
