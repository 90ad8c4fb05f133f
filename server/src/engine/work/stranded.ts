// In charge of runs that a worker cannot execute because it lacks one of their node types. They are set aside for workers
// that have these types, and fail if there is no such worker for long.
//
// The worker that receives the wake-up of such a run writes a row to `stranded_runs` and consumes the wake-up, in one
// transaction. From then on no wake-up is sent for the run, so that workers that cannot execute the run do not pass it around.
// A worker that has all node types of the run finds the row and claims the run. A row is valid only while its run is queued
// and still has the lease number in the row. The table `workers` lists the node types of each worker.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { missingWords, type Need, needsOf, versionsOf } from '../model/needs.ts'
import { suspectDeaths } from '../model/suspects.ts'
import type { RunQueue, WakeupJob } from '../store/queue.ts'
import type { RunRow } from '../store/runs.ts'
import { liveSeconds } from '../store/workers.ts'
import { claimRun, setAside } from '../transitions/claim.ts'
import { endForSure, endRun } from '../transitions/rest.ts'
import type { Engine } from './engine.ts'
import { reconcilingTrouble } from './trouble.ts'

/** Thrown in the transaction of a claim, to undo the claim: the worker lacks node types of the run. */
export class LacksTypes extends Error {
  readonly needs: readonly Need[]
  readonly missing: readonly Need[]
  constructor({ definition, targets }: RunRow, missing: readonly Need[]) {
    super(missingWords(missing))
    this.needs = needsOf(readDefinition(definition), targets)
    this.missing = missing
  }
}

/** Sets a run aside for workers that have its node types, and consumes its wake-up. The run's `error` says why it waits. */
export async function strand(tx: Db, queue: RunQueue, job: WakeupJob, { needs, missing }: LacksTypes): Promise<void> {
  const isQueued = await setAside(tx, job.runId, job.lease, waitsFor(missing))
  await queue.consume(tx, job)
  if (!isQueued) return
  await sql`
    insert into stranded_runs (run_id, lease, needs, since)
    values (${job.runId}, ${job.lease}, ${versionsOf(needs)}::text[], now_ms())
    on conflict (run_id) do update set lease = excluded.lease, needs = excluded.needs, since = excluded.since`.execute(
    tx,
  )
  // Wakes workers that may have the node types. If the notification gets lost, they find the row at their next poll.
  await sql`select pg_notify('atelier_runs', '')`.execute(tx)
}

const [beforeMissing, afterMissing] = [
  'It waits for a worker of another version: ',
  ', which the worker that took it does not have.',
]
const waitsFor = (missing: readonly Need[]): string =>
  `${beforeMissing}${missingWords(missing)}${afterMissing} Start such a worker; or cancel the run, change its definition and start it.`

/**
 * What a run lacks, in the words of its `error`. This process cannot tell: it may have all node types, if it executes no runs
 * or has started since. If another version of Atelier has worded the error otherwise, everything that the run needs is named.
 */
function missingOf({ error, definition, targets }: RunRow): string {
  const end = error?.indexOf(afterMissing) ?? -1
  if (error?.startsWith(beforeMissing) && end !== -1) return error.slice(beforeMissing.length, end)
  return missingWords(needsOf(readDefinition(definition), targets))
}

/**
 * Claims, of the runs in `stranded_runs` for which this process has all node types, the one that was set aside longest ago. A
 * suspect is claimed only if `isAlone`, that is, if the worker executes no other run.
 */
export async function claimStranded(
  tx: Db,
  { has }: Engine,
  { worker, isAlone }: { worker: string; isAlone: boolean },
): Promise<RunRow | undefined> {
  const { rows } = await sql<{ id: string; lease: number }>`
    select s.run_id as id, s.lease from stranded_runs s
    join runs r on r.id = s.run_id and r.lease = s.lease and r.status = 'queued'
    where s.needs <@ ${[...has]}::text[] and (${isAlone} or r.deaths < ${suspectDeaths})
    order by s.since limit 1 for update of r skip locked`.execute(tx)
  const [one] = rows
  if (!one) return undefined
  await tx.deleteFrom('stranded_runs').where('run_id', '=', one.id).execute()
  return claimRun(tx, one.id, one.lease, worker)
}

/**
 * A task of the reconciler, which may be repeated at any time: removes outdated rows of `workers` and `stranded_runs`, and ends
 * the runs for which no worker has had all node types for too long.
 */
export async function endStranded(engine: Engine, trouble = reconcilingTrouble(engine.log)): Promise<void> {
  const { database, timing } = engine
  await sql`
    delete from workers where seen_at < now() - make_interval(secs => ${Math.max(timing.strandedAfterSeconds, liveSeconds)})`.execute(
    database.main,
  )
  await sql`
    delete from stranded_runs s where not exists (
      select from runs r where r.id = s.run_id and r.lease = s.lease and r.status = 'queued')`.execute(database.main)
  const { rows } = await sql<{ id: string }>`
    select s.run_id as id from stranded_runs s where ${isOverdue(timing.strandedAfterSeconds)}
    order by s.since limit 50`.execute(database.main)
  for (const { id } of rows) {
    // Each run is ended in a transaction of its own: one that cannot be ended must not delay the others.
    await endForSure(engine, id, (tx, unkept) => endOne(tx, engine, { id, unkept }), false).catch((error: unknown) =>
      trouble.met(error, { run: id }),
    )
  }
}

/**
 * Whether the run of a row `s` was set aside more than `seconds` ago, and no worker with all of its node types was seen in
 * these seconds.
 */
const isOverdue = (seconds: number) => sql<boolean>`s.since < now() - make_interval(secs => ${seconds})
  and not exists (select from workers w
    where w.seen_at > now() - make_interval(secs => ${seconds}) and s.needs <@ w.has)`

type OverdueRun = { id: string; unkept: boolean }

async function endOne(tx: Db, { timing }: Engine, { id, unkept }: OverdueRun): Promise<void> {
  const { rows } = await sql<RunRow>`
    select r.* from runs r join stranded_runs s on r.id = s.run_id and r.lease = s.lease
    where r.id = ${id} and r.status = 'queued' and ${isOverdue(timing.strandedAfterSeconds)} for update of r skip locked`.execute(
    tx,
  )
  const [found] = rows
  if (!found) return
  const error = `No worker that has all the node types it needs was seen for ${spanOf(timing.strandedAfterSeconds)}: ${missingOf(found)}. Change its definition, or start a worker that has them; then start the run again.`
  await endRun(tx, found, { status: 'failed', error }, { unkept })
}

const spanOf = (seconds: number): string => (seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`)
