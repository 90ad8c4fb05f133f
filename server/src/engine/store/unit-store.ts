// In charge of the SQL for the states of a run's units.
import type { NodeStatus } from '@atelier/contract/enums.ts'
import { type Selectable, sql } from 'kysely'
import { type Db, tellChanged } from '../../platform/db.ts'
import { rowsAs } from '../../platform/rows.ts'
import type { RunStatesTable } from '../../platform/tables.ts'
import type { UnfinishedItem } from '../model/node-summary.ts'
import type { Needs } from '../model/staleness.ts'
import type { UnitName, UnitState } from '../model/units.ts'
import { stateBytes } from './run-sizes.ts'

export type StateRow = Selectable<RunStatesTable>

export const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null ? { ...value } : null

type Besides = 'run_id' | 'started_at' | 'finished_at' | 'change' | 'shown' | `${string}_bytes`
/** The columns of a unit's row that make up its state. */
export type UnitRow = Omit<StateRow, Besides>

export const ofRow = (row: UnitRow): UnitState => ({
  node: row.node_id,
  item: row.item,
  position: row.position,
  itemCount: row.item_count,
  status: row.status,
  progress: row.progress,
  outputs: asObject(row.outputs),
  request: asObject(row.request),
  error: row.error,
  message: row.message,
  credits: row.credits,
  durationSeconds: row.duration_seconds,
  checkpoint: asObject(row.checkpoint),
  cacheKey: row.cache_key,
  attempts: row.attempts,
  generation: row.generation,
  stale: row.stale,
})

/** Reads the units of a run, sorted by node and then by position. With `needs`, reads only units that match `isNeeded`. */
export async function readUnits(db: Db, runId: string, needs?: Needs): Promise<UnitState[]> {
  const rows = await db
    .selectFrom('run_states')
    .selectAll()
    .where('run_id', '=', runId)
    .$if(needs !== undefined, (query) => query.where(isNeeded(needs ?? { whole: new Set() })))
    .orderBy('node_id')
    .orderBy('position')
    .execute()
  return rows.map(ofRow)
}

/**
 * Reads some units of a node without their large values: `outputs` is an empty object for a unit that has outputs, else null;
 * `request` and `checkpoint` are always null.
 */
export async function readUnitStates(
  db: Db,
  runId: string,
  node: string,
  items: readonly string[],
): Promise<UnitState[]> {
  const { rows } = await sql<UnitRow>`
    select node_id, item, position, item_count, status, progress, case when outputs is not null then '{}'::json end as outputs,
      null::json as request, error, message, credits, duration_seconds, null::json as checkpoint, cache_key, attempts,
      generation, stale
    from run_states where run_id = ${runId} and node_id = ${node} and item = any(${[...items]}::text[])`.execute(db)
  return rows.map(ofRow)
}

/**
 * Reads the units of a run, for a plan or another run that reuses their results. Returns null, without reading them, if all
 * states of the run together exceed `limit` bytes.
 */
export const readSeed = async (db: Db, runId: string, limit: number, needs?: Needs): Promise<UnitState[] | null> =>
  (await stateBytes(db, runId)) > limit ? null : readUnits(db, runId, needs)

/** The size, in bytes, of the outputs of the units that match `isNeeded`. */
export async function neededBytes(db: Db, runId: string, needs: Needs): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(coalesce(outputs_bytes, octet_length(outputs::text))), 0)::float8 as bytes
    from run_states where run_id = ${runId} and ${isNeeded(needs)}`.execute(db)
  return rows[0]?.bytes ?? 0
}

/**
 * The condition that a unit is in `needs`. If `positions` has several nodes, the condition also matches items that are not
 * needed: in each of these nodes, it matches the items at the positions that are given for any of these nodes. In return,
 * PostgreSQL needs only two index look-ups, whatever its statistics say.
 */
function isNeeded({ whole, positions = new Map() }: Needs) {
  const all = [...positions.values()].flatMap((some) => [...some])
  return sql<boolean>`(node_id = any(${[...whole]}::text[])
    or (node_id = any(${[...positions.keys()]}::text[]) and (item = '' or position = any(${all}::int[]))))`
}

/** Reads the statuses of a run's units, without their outputs. */
export async function readStatuses(db: Db, runId: string): Promise<(UnitName & Pick<UnitState, 'status'>)[]> {
  return db.selectFrom('run_states').select(['node_id as node', 'item', 'status']).where('run_id', '=', runId).execute()
}

/**
 * Finds items by their present positions. If `asked` names several nodes, the result may contain items that were not asked for:
 * for each of these nodes, it contains the items at all positions in `asked`.
 */
export async function findItems(
  db: Db,
  runId: string,
  asked: readonly { node: string; position: number }[],
): Promise<(UnitName & UnfinishedItem)[]> {
  if (asked.length === 0) return []
  const { rows } = await sql<UnitName & UnfinishedItem>`
    select node_id as node, item, position from run_states where run_id = ${runId} and item <> ''
      and node_id = any(${asked.map(({ node }) => node)}::text[])
      and position = any(${asked.map(({ position }) => position)}::bigint[])`.execute(db)
  return rows
}

export type Failure = UnitName & { error: string | null }

/** Reads the failed units of a run, sorted by node and then by position. */
export async function readFailures(db: Db, runId: string): Promise<Failure[]> {
  return db
    .selectFrom('run_states')
    .select(['node_id as node', 'item', 'error'])
    .where('run_id', '=', runId)
    .where(sql<boolean>`status = 'failed'`) // a literal, no parameter, so that PostgreSQL uses the partial index
    .orderBy('node_id')
    .orderBy('position')
    .execute()
}

/**
 * Removes the units that have ended from `regenerate`, the run's list of units to roll again. A node that runs once per
 * element is removed when all of its items have ended.
 */
export async function forgetRolled(tx: Db, runId: string): Promise<void> {
  await sql`
    update runs set regenerate = array(
      select one from unnest(regenerate) with ordinality as named (one, nth) where exists (
        select from run_states s where s.run_id = runs.id and s.node_id = split_part(one, '/', 1)
          and split_part(one, '/', 2) in ('', s.position::text) and s.status <> all(${overStatuses}::text[]) and s.item_count is null)
      order by nth)
    where id = ${runId}`.execute(tx)
  tellChanged(tx, 'run', runId)
}

const savedRows = rowsAs('x', {
  ...{ node_id: 'text', item: 'text', position: 'int', item_count: 'int', status: 'text', progress: 'float8' },
  ...{ outputs: 'json', request: 'json', error: 'text', message: 'text', credits: 'float8' },
  ...{ duration_seconds: 'float8', checkpoint: 'json', cache_key: 'text', attempts: 'int' },
})

/** Stored with every unit that a save writes. `change`: the number of the save, counted per run. */
export type SaveMark = { change: number; generation: number }

/**
 * Writes the present states of units, with times from the database's clock. If a unit that is no longer pending has no start
 * time of this generation, it gets the present time minus its duration, because a unit may be saved for the first time when it has
 * already ended.
 */
export async function saveUnits(
  tx: Db,
  runId: string,
  units: readonly UnitState[],
  { change, generation }: SaveMark,
): Promise<void> {
  if (units.length === 0) return
  const rows = units.map((unit) => ({
    node_id: unit.node,
    item: unit.item,
    position: unit.position,
    item_count: unit.itemCount,
    status: unit.status,
    progress: unit.progress,
    outputs: unit.outputs,
    request: unit.request,
    error: unit.error,
    message: unit.message,
    credits: unit.credits,
    duration_seconds: unit.durationSeconds,
    checkpoint: unit.checkpoint,
    cache_key: unit.cacheKey,
    attempts: unit.attempts,
  }))
  const saved = savedRows(rows)
  await sql`${saved.begin('save_units')}
    insert into run_states (run_id, node_id, item, position, item_count, status, progress, outputs, request, error, message,
      credits, duration_seconds, checkpoint, cache_key, attempts, generation, stale, started_at, finished_at, change)
    select ${runId}, x.node_id, x.item, x.position, x.item_count, x.status, x.progress, x.outputs, x.request, x.error,
      x.message, x.credits, x.duration_seconds, x.checkpoint, x.cache_key, x.attempts, ${generation}, false,
      case when x.status <> 'pending' then now_ms() - make_interval(secs => x.duration_seconds) end,
      case when x.status = any(${overStatuses}::text[]) then now_ms() end, ${change}
    from ${saved.from}
    on conflict (run_id, node_id, item) do update set
      position = excluded.position, item_count = excluded.item_count, status = excluded.status,
      progress = excluded.progress, outputs = excluded.outputs, request = excluded.request, error = excluded.error,
      message = excluded.message, credits = excluded.credits, duration_seconds = excluded.duration_seconds,
      checkpoint = excluded.checkpoint, cache_key = excluded.cache_key, attempts = excluded.attempts,
      generation = excluded.generation, stale = false,
      started_at = case when excluded.status = 'pending' then null
        when run_states.generation < excluded.generation then excluded.started_at
        else coalesce(run_states.started_at, excluded.started_at) end,
      finished_at = excluded.finished_at, change = excluded.change`.execute(tx)
}

export const overStatuses: NodeStatus[] = ['succeeded', 'cached', 'failed', 'skipped', 'cancelled']

/** Deletes all units of some nodes, including their items. */
export async function deleteUnits(tx: Db, runId: string, nodeIds: readonly string[]): Promise<void> {
  if (nodeIds.length === 0) return
  await tx
    .deleteFrom('run_states')
    .where('run_id', '=', runId)
    .where('node_id', 'in', [...nodeIds])
    .execute()
}

export async function deleteAllUnits(tx: Db, runId: string): Promise<void> {
  await tx.deleteFrom('run_states').where('run_id', '=', runId).execute()
}

/** Deletes some items; the own units of their nodes stay. */
export async function deleteItems(tx: Db, runId: string, items: readonly UnitName[]): Promise<void> {
  for (const [node, gone] of Map.groupBy(items, (unit) => unit.node)) {
    await sql`
      delete from run_states where run_id = ${runId} and node_id = ${node}
        and item = any(${gone.map(({ item }) => item)}::text[])`.execute(tx)
  }
}

/**
 * `scope`: the nodes that the targets of the run's next generation need; `gone`: nodes of the run that they do not need;
 * `stale`: nodes whose results have to be checked again before they are valid.
 */
export type Reset = { scope: Iterable<string>; gone: readonly string[]; stale: readonly string[] }

/**
 * Prepares a run's units for its next generation, which can reuse their results: deletes all units of the nodes in `gone` and
 * all units without results (except nodes whose items are known), adds a pending unit for each node in `scope` that has no unit,
 * and marks the units of the nodes in `stale` as stale. Returns whether any unit was deleted.
 */
export async function resetUnits(
  tx: Db,
  runId: string,
  { scope, gone, stale }: Reset,
  { change, generation }: SaveMark,
): Promise<boolean> {
  const deleted = await sql`
    delete from run_states where run_id = ${runId} and (node_id = any(${[...gone]}::text[])
      or (status not in ('succeeded', 'cached') and item_count is null))`.execute(tx)
  await sql`
    insert into run_states (run_id, node_id, item, status, generation, change)
    select ${runId}, id, '', 'pending', ${generation}, ${change} from unnest(${[...scope]}::text[]) as id
    on conflict do nothing`.execute(tx)
  await sql`
    update run_states set stale = true, change = ${change}
    where run_id = ${runId} and item = '' and node_id = any(${[...stale]}::text[])`.execute(tx)
  return (deleted.numAffectedRows ?? 0n) > 0n
}

/**
 * Called when a run ends: sets its unfinished units to the given status. Nodes that are still stale, because their results were
 * not checked again, lose these results: their items of earlier generations are deleted, and their `item_count` becomes null,
 * as if their elements were not known yet. Returns whether any unit was deleted.
 */
export async function endOpenUnits(
  tx: Db,
  runId: string,
  status: 'cancelled' | 'skipped',
  change: number,
): Promise<boolean> {
  // The stale nodes are read by a statement of their own: if PostgreSQL's statistics are outdated, a self-join of the table may
  // take a minute for 5,000 items.
  const unseen = await tx
    .selectFrom('run_states')
    .select('node_id')
    .where('run_id', '=', runId)
    .where('stale', '=', true)
    .execute()
  const deleted = await sql`
    delete from run_states where run_id = ${runId} and item <> ''
      and node_id = any(${unseen.map(({ node_id }) => node_id)}::text[])
      and generation < (select generation from runs where id = ${runId})`.execute(tx)
  await sql`
    update run_states set status = ${status}, request = null, outputs = null, stale = false, finished_at = now_ms(),
      item_count = case when stale then null else item_count end, change = ${change}
    where run_id = ${runId} and (stale or status <> all(${overStatuses}::text[]))`.execute(tx)
  return (deleted.numAffectedRows ?? 0n) > 0n
}

/**
 * Links files to the graph, run or cache entry that uses them, so that no file is deleted while something that uses it exists.
 * `key`: the id of the graph or run, or the cache key. Digests of files that do not exist are ignored.
 */
export async function useFiles(
  tx: Db,
  by: 'graph' | 'run' | 'cache',
  key: string,
  digests: readonly string[],
): Promise<void> {
  if (digests.length === 0) return
  await sql`
    insert into file_uses (digest, used_by, user_key)
    select digest, ${by}, ${key} from files where digest = any(${[...new Set(digests)]}::text[]) for key share
    on conflict do nothing`.execute(tx)
}
