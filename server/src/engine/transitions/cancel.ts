// In charge of cancelling runs: at once if no worker has the run, otherwise within a limited time.
import { atRest, runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { Db } from '../../platform/db.ts'
import { type LockedRun, notifyWorker, updateRun } from '../store/runs.ts'
import { cancelledEnding, endRun } from './rest.ts'
import { columnsFor } from './states.ts'

/**
 * Cancels a locked run. If a worker has the run, the worker is requested to stop, so that it can still save results that it
 * has paid for; if it does not stop in time, the reconciler ends the run. A draft or a finished run is not changed.
 */
export async function cancelRun(tx: Db, run: LockedRun): Promise<void> {
  const refusal = runRefuses.cancel(run)
  if (refusal) throw new Refusal(refusal, `The run ${run.id} is deleted; undelete it before you cancel it.`)
  if (atRest(run.status) || run.status === 'draft' || run.cancel_requested_at !== null) return
  await updateRun(tx, run.id, columnsFor.cancel(run.now), run.now)
  if (run.status === 'running') return notifyWorker(tx, run.id)
  await endRun(tx, { ...run, cancel_requested_at: run.now }, cancelledEnding)
}
