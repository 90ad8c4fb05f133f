// In charge of the SQL for the rows of runs. A transaction that decides something about a run has locked the run's row.
import type { RunStatus } from '@atelier/contract/enums.ts'
import { foldText } from '@atelier/contract/fold.ts'
import { type CompiledQuery, type RawBuilder, type Selectable, sql, type UpdateObject } from 'kysely'
import { type Db, tellChanged } from '../../platform/db.ts'
import { tellReadersOfRun } from '../../platform/notices.ts'
import { inRetention } from '../../platform/retention.ts'
import type { RunsTable, Stamp, Tables } from '../../platform/tables.ts'
import { limitsIdleTime } from './brief-locks.ts'

export type RunRow = Selectable<RunsTable>
/**
 * A run that this transaction has locked. `now`: the time of the database, rounded to milliseconds; `in_retention`: whether
 * the run is not deleted, or can still be restored.
 */
export type LockedRun = RunRow & { now: Stamp; in_retention: boolean }

export async function lockRun(tx: Db, id: string): Promise<LockedRun | undefined> {
  return tx
    .selectFrom('runs as r')
    .selectAll('r')
    .select([sql<Stamp>`now_ms()`.as('now'), inRetention(tx, 'r').as('in_retention')])
    .where('r.id', '=', id)
    .where(limitsIdleTime, 'is not', null)
    .forUpdate()
    .executeTakeFirst()
}

/** Reads a run, even if it was deleted longer ago than the retention window. */
export async function readRunRow(db: Db, id: string): Promise<RunRow | undefined> {
  return rowOf(db, id).executeTakeFirst()
}

/** Reads a run that is not deleted, or that was deleted within the retention window. */
export async function seeRun(db: Db, id: string): Promise<RunRow | undefined> {
  return rowOf(db, id).where(inRetention(db, 'r')).executeTakeFirst()
}

const rowOf = (db: Db, id: string) => db.selectFrom('runs as r').selectAll('r').where('r.id', '=', id)

/** The columns that the creator of a run chooses; the other columns get the values of a draft that was never executed. */
export type NewRun = Pick<
  RunRow,
  | 'id'
  | 'graph_id'
  | 'definition'
  | 'ui_state'
  | 'signature'
  | 'forked_signature'
  | 'for_variant'
  | 'targets'
  | 'seed_run_id'
  | 'pinned_task_id'
  | 'copied_from'
  | 'task_id'
  | 'owner_id'
> & { targets_prepared: boolean; now: Stamp }

export async function insertRun(tx: Db, { now, definition, ui_state, ...run }: NewRun): Promise<void> {
  await tx
    .insertInto('runs')
    .values({
      ...run,
      definition: JSON.stringify(definition),
      ui_state: JSON.stringify(ui_state),
      status: 'draft',
      checkpoint_at: now,
      created_at: now,
      updated_at: now,
      error: null,
      cancel_requested_at: null,
      exported_at: null,
      produced_at: null,
      worker: null,
      queued_at: null,
      started_at: null,
      finished_at: null,
      heartbeat_at: null,
      deleted_at: null,
    })
    .execute()
  tellChanged(tx, 'run', run.id)
}

export type RunChange = UpdateObject<Tables, 'runs'>

/** Writes a change that a person or a client requested. It raises the revision, and thereby changes the ETag. */
export async function updateRun(tx: Db, id: string, changed: RunChange, now: Stamp): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ ...changed, revision: sql`revision + 1`, updated_at: now })
    .where('id', '=', id)
    .execute()
  tellChanged(tx, 'run', id)
  await tellReadersOfRun(tx, id)
}

/** Writes a change by a worker or the reconciler. It does not raise the revision, so the ETag stays the same. */
export async function updateRunInternal(tx: Db, id: string, changed: RunChange): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ ...changed, updated_at: sql`now_ms()` })
    .where('id', '=', id)
    .execute()
  tellChanged(tx, 'run', id)
}

/** Writes columns, but not `updated_at`: another statement in the same transaction sets it. */
export async function setColumns(tx: Db, id: string, changed: RunChange): Promise<void> {
  await tx.updateTable('runs').set(changed).where('id', '=', id).execute()
  tellChanged(tx, 'run', id)
}

/**
 * A worker's claim on a run; `lease` is the fencing token (see states.ts). What the worker saves is written only if the run
 * still has this generation and lease.
 */
export type RunLease = { runId: string; generation: number; lease: number }

/** Thrown if the run no longer belongs to this worker. The worker then stops executing the run. */
export class LostRun extends Error {
  constructor() {
    super('The run is no longer this worker’s.')
  }
}

/**
 * Removes the fingerprint of a run's node types, so that the next execution checks all results again, even if the present one
 * does not finish.
 */
export async function forgetFingerprint(db: Db, { runId, generation, lease }: RunLease): Promise<void> {
  await db
    .updateTable('runs')
    .set({ types_fingerprint: null })
    .where('id', '=', runId)
    .where('generation', '=', generation)
    .where('lease', '=', lease)
    .execute()
}

/**
 * Tells the run's worker to send its heartbeat now: the reply says whether a cancel was requested, and how many answers were
 * given. If the notification gets lost, the worker sends the heartbeat at the usual time.
 */
export async function notifyWorker(tx: Db, runId: string): Promise<void> {
  await sql`select pg_notify('atelier_held', ${runId})`.execute(tx)
}

/** `late`: whether the run got no heartbeat, because its row was locked. */
export type HeartbeatRow = { id: string; lease: number; cancel: boolean; answers: number; late: boolean }

/** Runs that their worker holds, as a table `held`, joined with their rows `r` as long as they belong to this worker. */
const heldRows = (leases: readonly (RunLease & { isIdle?: boolean })[]) => sql`
  runs r join unnest(${leases.map(({ runId }) => runId)}::uuid[], ${leases.map(({ lease }) => lease)}::int[],
    ${leases.map(({ isIdle = false }) => isIdle)}::bool[]) as held (id, lease, idle)
  on r.id = held.id and r.lease = held.lease and r.status = 'running'`

/**
 * The statement that records a heartbeat for these runs, and marks those with `isIdle` as idle. It returns those runs that
 * still belong to this worker; `cancel`: whether a cancel was requested; `answers`: how many answers were given.
 *
 * A run whose row is locked by another transaction gets no heartbeat, but is returned as it was before that transaction. Otherwise
 * the transaction that ends a large run, which keeps its row locked for seconds, would delay the heartbeats of all runs of this
 * worker. No other worker takes the locked run meanwhile, because `lockOverdue` skips locked rows as well; for the moment in which it
 * is locked no more, there is `lateBeatStatement`. Every save of a run also counts as a heartbeat (`touch_run`), so that a run does
 * not become overdue between the saves of many units.
 */
export const heartbeatStatement = (
  db: Db,
  leases: readonly (RunLease & { isIdle: boolean })[],
): CompiledQuery<HeartbeatRow> =>
  sql<HeartbeatRow>`
    with free as materialized (select r.id, held.lease, held.idle from ${heldRows(leases)} for no key update of r skip locked),
    beaten as (
      update runs r set heartbeat_at = now_ms(), idle_lease = case when free.idle then free.lease end
      from free where r.id = free.id
      returning r.id, r.lease, r.cancel_requested_at is not null as cancel, r.answers_given as answers)
    select id, lease, cancel, answers, false as late from beaten
    union all
    select r.id, r.lease, r.cancel_requested_at is not null, r.answers_given, true from ${heldRows(leases)}
    where not exists (select from free where free.id = r.id)`.compile(db)

/**
 * The statement that waits for the row of the run that has been without a heartbeat for longest, and records one. A run whose row was
 * locked for long may be overdue as soon as the lock ends, for example because the transaction that would have ended it was rolled
 * back; then its worker has to be first. Only one row, so that no other row stays locked while the statement waits.
 */
export const lateBeatStatement = (db: Db, leases: readonly RunLease[]): CompiledQuery =>
  sql`
    update runs r set heartbeat_at = now_ms()
    from (select r.id, held.lease from ${heldRows(leases)} order by r.heartbeat_at limit 1) as last
    where r.id = last.id and r.lease = last.lease and r.status = 'running'`.compile(db)

/**
 * The statement that marks all runs of a worker as not idle. The heartbeat thread executes it while the main thread is busy,
 * since that may be due to any of these runs.
 */
export const markBusyStatement = (db: Db, leases: readonly RunLease[]): CompiledQuery =>
  sql`
    with free as materialized (
      select r.id from ${heldRows(leases)} where r.idle_lease = held.lease for no key update of r skip locked)
    update runs r set idle_lease = null from free where r.id = free.id`.compile(db)

/**
 * A time limit for running runs: `seconds` after their last heartbeat, or after the request to cancel them; null if all running
 * runs are overdue, whatever their times and the clock of the database say.
 */
export type Overdue = { since: 'heartbeat_at' | 'cancel_requested_at'; seconds: number | null }

const isOverdue = ({ since, seconds }: Overdue) =>
  seconds === null
    ? sql<boolean>`status = 'running'`
    : sql<boolean>`status = 'running' and ${sql.ref(since)} < now() - make_interval(secs => ${seconds})`

/** The ids of running runs that are overdue, the longest overdue first. */
export async function findOverdue(db: Db, overdue: Overdue, take: number): Promise<string[]> {
  const found = await sql<{ id: string }>`
    select id from runs where ${isOverdue(overdue)} order by ${sql.ref(overdue.since)} limit ${take}`.execute(db)
  return found.rows.map(({ id }) => id)
}

/** Locks an overdue run; undefined if it is no longer overdue, or if another transaction has locked it. */
export async function lockOverdue(tx: Db, id: string, overdue: Overdue): Promise<RunRow | undefined> {
  const found = await sql<RunRow>`
    select * from runs where id = ${id} and ${isOverdue(overdue)} and ${limitsIdleTime} is not null for update skip locked`.execute(
    tx,
  )
  return found.rows[0]
}

export type CardFilter = {
  graph_id?: string
  task_id?: string
  owner_id?: string
  status?: RunStatus
  search?: string
  deleted: boolean
}

const cardColumns = `r.id, r.graph_id, g.name as graph_name, r.status, r.error, r.task_id, r.pinned_task_id, r.owner_id,
  r.generation, r.credits_consumed, r.credits_total, r.signature <> r.forked_signature as edited, r.copied_from,
  iso(r.exported_at) as exported_at,
  (select count(distinct creative_id) from exports where run_id = r.id)::int as exported_creatives,
  iso(r.created_at) as created_at, iso(r.updated_at) as updated_at, iso(r.started_at) as started_at,
  iso(r.finished_at) as finished_at, iso(r.deleted_at) as deleted_at`

/**
 * Of how many graphs at most the runs are looked for graph by graph. If more of those that have runs match, the list of all runs is
 * soon full if it is walked from the newest on, and reading some runs of each graph would take longer.
 */
const fewGraphs = 50

/**
 * A page of the list of runs, newest first; each run is a short summary as JSON text. Of a search, the graphs are found first, unless it
 * is for one graph or task: of 200,000 runs of 3,000 graphs, a term that no graph has took 480 ms by walking all runs, and takes 2 ms;
 * one of a single graph with 22 runs took 670 ms and takes 9 (PostgreSQL, two cores that other work shared).
 */
export async function listRuns(
  db: Db,
  { graph_id, task_id, owner_id, status, search = '', deleted }: CardFilter,
  after: { at: Stamp; id: string } | null,
  take: number,
): Promise<{ id: string; at: Stamp; text: string }[]> {
  const named = sql`position(${foldText(search)}::text in g.name_folded) > 0`
  // The runs of one graph or task are few. Those of an owner or in a state may be all.
  const graphs = search === '' || graph_id || task_id ? null : await graphsWhere(db, named)
  if (graphs?.length === 0) return []
  const chosen = sql`
    ${deleted ? sql`r.deleted_at is not null and ${inRetention(db, 'r')}` : sql`r.deleted_at is null`}
      ${graph_id ? sql`and r.graph_id = ${graph_id}` : sql``}
      ${task_id ? sql`and (r.task_id = ${task_id} or r.pinned_task_id = ${task_id})` : sql``}
      ${owner_id ? sql`and r.owner_id = ${owner_id}` : sql``}
      ${status ? sql`and r.status = ${status}` : sql``}
      ${after ? sql`and (r.created_at, r.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}`
  const ofGraphs = sql`
    r.id in (
      select newest.id from unnest(${graphs}::uuid[]) as f (id) cross join lateral (
        select r.id, r.created_at from runs r where r.graph_id = f.id and ${chosen}
        order by r.created_at desc, r.id desc limit ${take}) as newest
      order by newest.created_at desc, newest.id desc limit ${take})`
  const found = await sql<{ id: string; at: Stamp; text: string }>`
    select r.id, r.created_at as at, (select row_to_json(card)::text from (select ${sql.raw(cardColumns)}) as card) as text
    from runs r left join graphs g on g.id = r.graph_id
    where ${graphs !== null && graphs.length <= fewGraphs ? ofGraphs : chosen}
      ${search === '' ? sql`` : sql`and ${named}`}
    order by r.created_at desc, r.id desc limit ${take}`.execute(db)
  return found.rows
}

/** The ids of graphs with runs whose names match, at most one more than `fewGraphs`. Deleted graphs are among them: their runs stay. */
async function graphsWhere(db: Db, named: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select g.id from graphs g where ${named} and exists (select from runs r where r.graph_id = g.id) limit ${fewGraphs + 1}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
