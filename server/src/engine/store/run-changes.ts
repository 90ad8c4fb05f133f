// In charge of the SQL that reads a run for clients that watch it: the whole run, or what has changed since a moment.
//
// No statement joins `run_states` with itself: if PostgreSQL's statistics are outdated, such a join may take a minute for
// 5,000 items.
import type { NodeStatus } from '@atelier/contract/enums.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Stamp } from '../../platform/tables.ts'
import type { UnitState } from '../model/units.ts'
import { ofRow, type StateRow, type UnitRow } from './unit-store.ts'

/** A unit with its times, which only responses need. */
export type TimedUnit = UnitState & { startedAt: Stamp | null; finishedAt: Stamp | null }

export type ShownRow = UnitRow & Pick<StateRow, 'started_at' | 'finished_at'>

export const timed = (row: ShownRow): TimedUnit => ({
  ...ofRow(row),
  startedAt: row.started_at,
  finishedAt: row.finished_at,
})

export const ownColumns = sql`node_id, item, position, item_count, status, progress, error, message, credits, duration_seconds,
  cache_key, attempts, started_at, finished_at, generation, stale`

/**
 * The columns of a unit in a response. `light`: without outputs, requests and checkpoints, for a run in which these do not fit
 * into a response.
 */
const columns = (light: boolean) =>
  light
    ? sql`${ownColumns}, null::json as outputs, null::json as request, null::json as checkpoint`
    : sql`${ownColumns}, coalesce(shown, outputs) as outputs, request, checkpoint`

export async function readTimedUnits(db: Db, runId: string, light: boolean): Promise<TimedUnit[]> {
  const { rows } = await sql<ShownRow>`
    select ${columns(light)} from run_states where run_id = ${runId} order by node_id, position`.execute(db)
  return rows.map(timed)
}

/** A moment in the history of a run: its generation, and its count of saves. */
export type Moment = { generation: number; changes: number }

/**
 * Units that may have changed since the moment `then`: those that were saved since and, if a new generation has begun, those
 * that were saved in the generation of `then`, because their results now count as cached.
 */
export async function readUnitsSince(db: Db, run: Moment & { id: string }, then: Moment): Promise<TimedUnit[]> {
  const { rows } = await sql<ShownRow>`
    select ${columns(false)} from run_states where run_id = ${run.id} and change > ${then.changes}
    ${
      then.generation === run.generation
        ? sql``
        : sql`union all select ${columns(false)} from run_states
            where run_id = ${run.id} and change <= ${then.changes} and generation = ${then.generation}`
    }`.execute(db)
  return rows.map(timed)
}

/**
 * Reads further units that a response needs. Of each of the `nodes`: the node's own unit, which is not an item. Of each of the
 * nodes in `looked`, whose own units have changed: the items saved in earlier generations. They have not changed themselves, but
 * whether they are shown as pending or as cached depends on whether the node's own unit is stale.
 */
export async function readAround(
  db: Db,
  run: { id: string; generation: number },
  { nodes, looked }: { nodes: readonly string[]; looked: readonly string[] },
): Promise<TimedUnit[]> {
  if (nodes.length === 0) return []
  const { rows } = await sql<ShownRow>`
    select ${columns(false)} from run_states where run_id = ${run.id} and item = '' and node_id = any(${[...nodes]}::text[])
    union all
    select ${columns(false)} from run_states where run_id = ${run.id} and item <> '' and node_id = any(${[...looked]}::text[])
      and generation < ${run.generation}`.execute(db)
  return rows.map(timed)
}

/**
 * A summary of those items of a node that have the same status: sums of their progress and credits, their first start and
 * their last end.
 */
export type Tally = {
  status: NodeStatus
  count: number
  progress: number
  credits: number
  began: Stamp | null
  ended: Stamp | null
  /** The error of the first of these items if they failed; otherwise null. */
  error: string | null
}

/**
 * Node id → for each status that items of the node have in the present generation, a tally of these items. `stale`: those of
 * the `nodes` that are stale.
 */
export async function tallyItems(
  db: Db,
  run: { id: string; generation: number },
  { nodes, stale }: { nodes: readonly string[]; stale: readonly string[] },
): Promise<Map<string, Tally[]>> {
  if (nodes.length === 0) return new Map()
  const { rows } = await sql<Tally & { node: string }>`
    select t.*, (select e.error from run_states e
      where e.run_id = ${run.id} and e.node_id = t.node and e.item <> '' and e.position = t.first_failed limit 1) as error
    from (select x.node, x.status, count(*)::int as count, sum(x.progress) as progress, sum(x.credits) as credits,
      min(x.began) as began, max(x.ended) as ended, min(x.position) filter (where x.status = 'failed') as first_failed
    from (
      select s.node_id as node, s.position,
        case when not held.before then s.status when held.stale then 'pending' else 'cached' end as status,
        case when held.before and held.stale then 0 else s.progress end as progress,
        case when held.before then 0 else s.credits end as credits,
        case when held.before then null else s.started_at end as began,
        case when held.before then null else s.finished_at end as ended
      from run_states s,
      lateral (select s.generation < ${run.generation} and s.status in ('succeeded', 'cached') as before,
        s.node_id = any(${[...stale]}::text[]) as stale) as held
      where s.run_id = ${run.id} and s.node_id = any(${[...nodes]}::text[]) and s.item <> ''
    ) as x
    group by x.node, x.status) as t`.execute(db)
  return Map.groupBy(rows, ({ node }) => node)
}

/**
 * An open question of a gate. `position` (of the item) and `itemCount` (of all items of the gate) are null if the gate does
 * not run once per element.
 */
export type Question = {
  node: string
  position: number | null
  itemCount: number | null
  request: Record<string, unknown>
}

/** The first open question of each node that has one. */
export async function readQuestions(db: Db, runId: string): Promise<Question[]> {
  const { rows } = await sql<Question>`
    select q.node_id as node, q.position, q.request,
      (select nullif(count(*), 0)::int from run_states i
        where i.run_id = ${runId} and i.node_id = q.node_id and i.item <> '') as "itemCount"
    from (select distinct on (node_id) node_id, position, request from run_states
      where run_id = ${runId} and status = 'awaiting_input' and request is not null
      order by node_id, position) as q`.execute(db)
  return rows
}

/** The statuses and present positions of all units of some nodes. */
export async function readQuestionUnits(
  db: Db,
  runId: string,
  nodes: readonly string[],
): Promise<Pick<UnitState, 'node' | 'item' | 'position' | 'status'>[]> {
  if (nodes.length === 0) return []
  return db
    .selectFrom('run_states')
    .select(['node_id as node', 'item', 'position', 'status'])
    .where('run_id', '=', runId)
    .where('node_id', 'in', [...nodes])
    .execute()
}
