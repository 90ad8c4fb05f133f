// In charge of the reconciler: it requeues runs whose heartbeat has expired, ends cancelled runs whose worker did not stop,
// sends lost wake-ups again, and ends runs for which no worker has the node types.
//
// Every process has a reconciler, even if it executes no runs, so that a cancel takes effect even if no worker is alive. Each
// run is requeued or ended in a transaction of its own, so that a run for which this fails does not delay the others. If one
// of the four tasks fails, the others are still executed.
import { sql } from 'kysely'
import { countJob, countRecoveredRun } from '../../platform/counts.ts'
import { afterCommit, type Db } from '../../platform/db.ts'
import { deathLimit } from '../model/suspects.ts'
import { forgetClaims } from '../store/provider-claims.ts'
import { hasWakeup } from '../store/queue.ts'
import { findOverdue, lockOverdue, type Overdue, type RunRow } from '../store/runs.ts'
import { forgetWorkers } from '../store/workers.ts'
import { cancelledEnding, endForSure, endRun, requeueRun } from '../transitions/rest.ts'
import type { Engine } from './engine.ts'
import { repeat } from './repeat.ts'
import { endStranded } from './stranded.ts'
import { reconcilingTrouble, type Trouble } from './trouble.ts'

/** The maximum number of runs that a task handles in one turn. If more are overdue, the next turns handle them. */
const batch = 500

export type Reconciler = { start(): void; stop(): Promise<void> }

/**
 * `showLife`: sends the heartbeat of the worker in the same process; called before each turn. Without this, if the process was
 * busy and the heartbeat is late, the turn would treat the worker's runs as lost.
 */
export function createReconciler(engine: Engine, showLife = () => Promise.resolve()): Reconciler {
  const stopping = new AbortController()
  const troubles = troublesOf(engine)
  const turns = repeat({
    log: engine.log,
    signal: stopping.signal,
    seconds: engine.timing.resendSeconds,
    work: async () => {
      await showLife()
      await reconcile(engine, troubles)
    },
  })
  let ended = Promise.resolve()
  return {
    start: () => {
      ended = turns.start()
    },
    stop: () => {
      stopping.abort()
      return ended
    },
  }
}

/**
 * One turn of the reconciler. Several processes may do this at the same time, and it may be repeated at any time. `troubles`: what
 * earlier turns met, so that it is not logged at each turn.
 */
export async function reconcile(engine: Engine, troubles = troublesOf(engine)): Promise<void> {
  const { lost, cancelled, resent, stranded } = troubles
  await logged('recover-lost-runs', lost, () => recoverLost(engine, engine.timing.lostAfterSeconds, lost))
  await logged('end-cancelled-runs', cancelled, () => endUnstoppable(engine, cancelled))
  await logged('resend-runs', resent, () => resend(engine))
  await logged('end-stranded-runs', stranded, () => endStranded(engine, stranded))
}

/** One for each task, since a task that only reads goes on while another is refused. */
function troublesOf({ log }: Engine) {
  const one = () => reconcilingTrouble(log)
  return { lost: one(), cancelled: one(), resent: one(), stranded: one() }
}

/**
 * Requeues or ends all running runs, and forgets the workers and the calls of providers that are still listed. Called when a
 * process with an embedded database has just started: no earlier process exists any more, so all of these are lost, even if
 * the clock has been set back and their last signs of life are in the future.
 */
export function recoverAll(engine: Engine): Promise<void> {
  const { lost } = troublesOf(engine)
  return logged('recover-lost-runs', lost, async () => {
    await forgetWorkers(engine.database.main)
    await forgetClaims(engine.database.main)
    await recoverLost(engine, null, lost)
  })
}

/**
 * Executes a task. If the task fails, logs the failure instead of throwing, so that the other tasks are still executed; the
 * next turn executes the task again.
 */
async function logged(name: string, trouble: Trouble, task: () => Promise<void>): Promise<void> {
  await task().then(
    () => countJob(name, true),
    (error: unknown) => {
      countJob(name, false)
      trouble.met(error)
    },
  )
  trouble.turned()
}

const recoverLost = (engine: Engine, seconds: number | null, trouble: Trouble): Promise<void> =>
  forEachOverdue({ engine, trouble }, { since: 'heartbeat_at', seconds }, async (tx, run, unkept) => {
    const deaths = run.deaths + (run.idle_lease === run.lease ? 0 : 1)
    const outcome = run.cancel_requested_at !== null ? 'cancelled' : deaths < deathLimit ? 'requeued' : 'failed'
    if (outcome === 'cancelled') await endRun(tx, run, cancelledEnding, { unkept })
    else if (outcome === 'requeued') await requeueRun(tx, engine.queue, run, deaths)
    else await endRun(tx, run, { status: 'failed', error: poisoned }, { unkept })
    afterCommit(tx, () => countRecoveredRun(outcome))
  })

const poisoned = `The run was given up: ${deathLimit} workers in a row were lost while they had it. Look at what its nodes are given (very large files or lists), then start it again.`

const endUnstoppable = (engine: Engine, trouble: Trouble): Promise<void> =>
  forEachOverdue(
    { engine, trouble },
    { since: 'cancel_requested_at', seconds: engine.timing.cancelAfterSeconds },
    async (tx, run, unkept) => {
      await endRun(tx, run, cancelledEnding, { unkept })
      afterCommit(tx, () => countRecoveredRun('cancelled'))
    },
  )

type OverdueAction = (tx: Db, run: RunRow, unkept: boolean) => Promise<void>

/** Calls `action` for each overdue run. If that fails, logs the failure with the run's id and goes on with the other runs. */
async function forEachOverdue(
  { engine, trouble }: { engine: Engine; trouble: Trouble },
  overdue: Overdue,
  action: OverdueAction,
): Promise<void> {
  for (const id of await findOverdue(engine.database.main, overdue, batch)) {
    try {
      const handleOne = async (tx: Db, unkept: boolean): Promise<void> => {
        const run = await lockOverdue(tx, id, overdue)
        if (run) await action(tx, run, unkept)
      }
      await endForSure(engine, id, handleOne, false)
    } catch (error) {
      trouble.met(error, { run: id })
    }
  }
}

/** Sends a wake-up for each run that has been queued for `resendSeconds` and has no wake-up for its present lease. */
async function resend({ database, queue, timing }: Engine): Promise<void> {
  await database.tx(async (tx) => {
    await queue.dropTaken(tx, timing.resendSeconds)
    const { rows } = await sql<{ id: string; lease: number }>`
      select r.id, r.lease from runs r
      where r.status = 'queued' and r.queued_at < now() - make_interval(secs => ${timing.resendSeconds}) and not ${hasWakeup}
      order by r.queued_at limit ${batch}`.execute(tx)
    await queue.send(
      tx,
      rows.map(({ id, lease }) => ({ runId: id, lease })),
    )
  })
}
