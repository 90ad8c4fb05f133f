// In charge of taking a run from its worker when the worker has no more work on it, stops, or is lost: the run is parked at
// its gates, ended, or requeued for another worker.
import type { RunStatus } from '@atelier/contract/enums.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import { type Database, type Db, isOverloaded, isUnavailable } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { limitsIdleTime } from '../store/brief-locks.ts'
import { releaseAllKeys } from '../store/cache.ts'
import { abandon } from '../store/ledger.ts'
import { noteEnd, noteWaiting } from '../store/notices.ts'
import type { RunQueue } from '../store/queue.ts'
import { LostRun, type RunLease, type RunRow, updateRunInternal } from '../store/runs.ts'
import { endOpenUnits, type Failure, forgetRolled, readFailures } from '../store/unit-store.ts'
import { writeRunCheckpoint } from './history.ts'
import { columnsFor } from './states.ts'

/** The time on the clock of the database when the statement is executed, not when its transaction began. */
const now = sql<string>`now_ms()`

/** Locks the run and returns its row. Throws `LostRun` if the run no longer belongs to this worker. */
async function lockHeld(tx: Db, { runId, generation, lease }: RunLease): Promise<RunRow> {
  const row = await tx
    .selectFrom('runs')
    .selectAll()
    .where('id', '=', runId)
    .where('generation', '=', generation)
    .where('lease', '=', lease)
    .where('status', '=', 'running')
    .where(limitsIdleTime, 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new LostRun()
  return row
}

/**
 * Parks a run in which nothing is left but open questions. `answersSeen`: how many answers had been given when the worker last
 * read them. If there are more now, or if a cancel was requested, changes nothing and returns false; the worker then goes on
 * with the run, so that no answer is missed.
 */
export async function park(tx: Db, runLease: RunLease, answersSeen: number): Promise<boolean> {
  const run = await lockHeld(tx, runLease)
  if (run.answers_given !== answersSeen || run.cancel_requested_at !== null) return false
  await updateRunInternal(tx, run.id, columnsFor.park())
  await noteWaiting(tx, run)
  if (run.regenerate.length > 0) await forgetRolled(tx, run.id)
  // Closes ledger entries that a lost worker left open. This worker has not called these units again, because it has found
  // their outputs in the cache.
  await abandon(tx, run.id, run.generation)
  await releaseAllKeys(tx, run.id)
  return true
}

export type Ending = { status: Extract<RunStatus, 'succeeded' | 'failed' | 'cancelled'>; error: string | null }

/**
 * `typesFingerprint`: the fingerprint of the node types with which all results were checked; null if not all were checked.
 * `unkept`: whether writing the checkpoint has failed in an earlier attempt, so that this one writes none.
 */
type RestOptions = { typesFingerprint?: string | null; unkept?: boolean }

/**
 * Ends a run that the caller has locked, with its unfinished units, and writes a checkpoint. With `unkept`, it writes no
 * checkpoint, and the run fails with an error that says so, unless it is cancelled.
 */
export async function endRun(
  tx: Db,
  run: RunRow,
  { status, error }: Ending,
  { typesFingerprint = null, unkept = false }: RestOptions = {},
): Promise<void> {
  const unfinished = status === 'cancelled' ? 'cancelled' : 'skipped'
  const hasDeleted = await endOpenUnits(tx, run.id, unfinished, run.changes + 1)
  await abandon(tx, run.id, run.generation)
  await releaseAllKeys(tx, run.id)
  const ended = columnsFor.rest(run, { status, error, hasDeleted, typesFingerprint })
  await updateRunInternal(tx, run.id, { ...ended, finished_at: now })
  await noteEnd(tx, run, status)
  if (!unkept) return writeRestCheckpoint(tx, { ...run, ...ended })
  if (status === 'cancelled') return
  const sentences = [error, `${unwritten} Its end was not kept there; what it made stays.`]
  await updateRunInternal(tx, run.id, columnsFor.restUnkept(sentences.filter((one) => one !== null).join(' ')))
}

const unwritten = 'The history of the run could not be written; an operator finds why in the log.'

async function writeRestCheckpoint(tx: Db, run: RunRow): Promise<void> {
  await writeRunCheckpoint(tx, run, { kind: 'rest', summary: restSummary(run.status, run.error), actor: null })
}

/**
 * Calls `work`, which ends a run, in a transaction of its own. If that fails, calls `work` again with `unkept`, so that the run
 * does not stay running for ever because no checkpoint can be written. If the run is lost, the change is refused, or the
 * database is unavailable, `work` is not called again, and the error is thrown. `retriesOverload`: the same applies if the
 * database is overloaded, because the caller tries again later.
 */
export async function endForSure<T>(
  { database, log }: { database: Database; log: Log },
  runId: string,
  work: (tx: Db, unkept: boolean) => Promise<T>,
  retriesOverload = true,
): Promise<T> {
  try {
    return await database.tx((tx) => work(tx, false))
  } catch (error) {
    if (error instanceof LostRun || error instanceof Refusal || isUnavailable(error)) throw error
    if (retriesOverload && isOverloaded(error)) throw error
    log.error({ err: error, run: runId }, 'the end of a run could not be written; it ends without a checkpoint')
    return database.tx((tx) => work(tx, true))
  }
}

const restSummary = (status: RunStatus, error: string | null): string =>
  status === 'succeeded' ? 'Succeeded' : status === 'cancelled' ? 'Cancelled' : `Failed: ${error ?? ''}`.slice(0, 300)

/**
 * Ends a run on which its worker has nothing left to do. `refusal`: the error of a run that the worker refuses to execute; if
 * absent, the worker has executed the run.
 */
export async function completeRun(
  tx: Db,
  runLease: RunLease,
  { refusal, ...rest }: RestOptions & { refusal?: string },
): Promise<void> {
  const run = await lockHeld(tx, runLease)
  const failed: Ending | null = refusal === undefined ? null : { status: 'failed', error: refusal }
  const ending =
    run.cancel_requested_at === null ? (failed ?? endingOf(await readFailures(tx, run.id))) : cancelledEnding
  await endRun(tx, run, ending, rest)
}

export const cancelledEnding: Ending = { status: 'cancelled', error: null }

/**
 * How an executed run ends: it has failed if any of its units failed, and its error names the first three nodes with failed
 * units.
 */
function endingOf(failed: readonly Failure[]): Ending {
  if (failed.length === 0) return { status: 'succeeded', error: null }
  const byNode = [...Map.groupBy(failed, ({ node }) => node)]
  const sentences = byNode.slice(0, 3).map(([node, ones]) => {
    const items = ones.some(({ item }) => item !== '')
      ? ` (${ones.length} ${ones.length === 1 ? 'item' : 'items'})`
      : ''
    return `“${node}”${items}: ${ones[0]?.error ?? 'failed'}`
  })
  const more = byNode.length > 3 ? ` And ${byNode.length - 3} more nodes.` : ''
  return { status: 'failed', error: sentences.join(' ') + more }
}

/**
 * Queues a run, which the caller has locked, for another worker. `deaths`: how many workers in a row have crashed while they
 * executed the run.
 */
export async function requeueRun(tx: Db, queue: RunQueue, run: RunRow, deaths: number): Promise<void> {
  const changed = columnsFor.requeue(run, deaths)
  await updateRunInternal(tx, run.id, changed)
  await releaseAllKeys(tx, run.id)
  await queue.send(tx, [{ runId: run.id, lease: changed.lease }])
}

/** Takes an unfinished run from a worker that stops: requeues the run, or ends it if its cancellation was requested. */
export async function releaseForShutdown(
  tx: Db,
  queue: RunQueue,
  runLease: RunLease,
  rest: RestOptions,
): Promise<void> {
  const run = await lockHeld(tx, runLease)
  if (run.cancel_requested_at === null) await requeueRun(tx, queue, run, run.deaths)
  else await endRun(tx, run, cancelledEnding, rest)
}
