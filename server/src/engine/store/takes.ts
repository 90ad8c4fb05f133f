// In charge of the SQL for takes, the results of earlier rolls of a run's units. A result is stored as a take when a re-roll,
// another chosen take or a restore replaces it, or when somebody pins it; until then, only its unit stores it.
import { sql } from 'kysely'
import { type Db, tellChanged } from '../../platform/db.ts'
import type { Stamp } from '../../platform/tables.ts'
import type { OwnInputs } from '../model/marks.ts'
import { type UnitName, unitKey } from '../model/units.ts'
import type { KnownResult } from './cache.ts'

/** The approximate bytes that a take occupies in the database, apart from its outputs. */
const frameBytes = 300

/**
 * The present results of a run's units, in the form of takes; `roll` is null if the unit was never rolled again. The results
 * of the nodes in `stale` are left out, since they may belong to another roll than the present one; `isUnrolledKept`: except for
 * those of units that were never rolled again, which belong to no other roll. The query has no joins, so that it stays fast even
 * if PostgreSQL's statistics are outdated.
 */
const presentTakes = (runId: string, stale: readonly string[], isUnrolledKept = false) => sql`
  select p.*, coalesce(p.own_roll, p.node_roll) as roll from (
    select s.node_id, s.item, s.cache_key, s.outputs,
      (select r.roll from run_rolls r
        where r.run_id = s.run_id and r.node_id = s.node_id and r.item = s.item) as own_roll,
      (select r.roll from run_rolls r
        where r.run_id = s.run_id and r.node_id = s.node_id and r.item = '') as node_roll,
      (select r.inputs from run_rolls r
        where r.run_id = s.run_id and r.node_id = s.node_id and r.item = s.item) as inputs,
      case when s.outputs_bytes is null then shown_outputs(s.outputs) else s.shown end as shown,
      coalesce(s.outputs_bytes, octet_length(s.outputs::text)) as bytes,
      greatest(s.credits, coalesce((select c.credits from node_cache c where c.key = s.cache_key), 0)) as credits,
      s.generation, coalesce(s.finished_at, now_ms()) as made_at
    from run_states s
    where s.run_id = ${runId} and s.outputs is not null and s.status in ('succeeded', 'cached') and s.cache_key <> '') as p
  where p.node_id <> all(${[...stale]}::text[])
    ${isUnrolledKept ? sql`or coalesce(p.own_roll, p.node_roll) is null` : sql``}`

/** Reads the ids of the nodes of a run that are stale. */
async function staleNodes(db: Db, runId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('run_states')
    .select('node_id')
    .where('run_id', '=', runId)
    .where('stale', '=', true)
    .execute()
  return rows.map(({ node_id }) => node_id)
}

const columns = sql`node_id, item, cache_key, roll, inputs, outputs, shown, bytes, credits, generation, made_at`
/** The `columns` of a take, selected from `presentTakes`; the roll is empty if the unit was never rolled again. */
const presentColumns = sql`node_id, item, cache_key, coalesce(roll, '') as roll, inputs, outputs, shown, bytes, credits,
  generation, made_at`

/**
 * Stores the present results of these units of the run `from` as takes of the run `to`, which is the same run or its fork. A
 * unit with an empty `item` stands for the node and all of its items.
 */
export async function keepTakes(tx: Db, from: string, units: readonly UnitName[], to: string = from): Promise<void> {
  if (units.length === 0) return
  const items = units.filter(({ item }) => item !== '')
  const whole = units.filter(({ item }) => item === '').map(({ node }) => node)
  await sql`
    insert into run_takes (run_id, ${columns})
    select ${to}, ${presentColumns} from (${presentTakes(from, await staleNodes(tx, from), true)}) as present
    where node_id = any(${whole}::text[]) or (node_id, item) in (
      select * from unnest(${items.map(({ node }) => node)}::text[], ${items.map(({ item }) => item)}::text[]))
    on conflict do nothing`.execute(tx)
}

/** Called before a restore replaces the present results: those of all units that were ever rolled again are stored as takes. */
export async function keepRolledTakes(tx: Db, runId: string): Promise<void> {
  await sql`
    insert into run_takes (run_id, ${columns})
    select ${runId}, ${presentColumns} from (${presentTakes(runId, await staleNodes(tx, runId))}) as present
    where roll is not null
    on conflict do nothing`.execute(tx)
}

/**
 * Copies the takes of a run to its fork. The caller links the files in these takes to the fork, together with all other files
 * of the run.
 */
export async function copyTakes(tx: Db, from: string, to: string): Promise<void> {
  await sql`
    insert into run_takes (run_id, ${columns}, pinned, chosen_at)
    select ${to}, ${columns}, pinned, chosen_at from run_takes where run_id = ${from}
    on conflict do nothing`.execute(tx)
}

/** The bytes of all takes of a run. */
export async function takesBytes(db: Db, runId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes + ${frameBytes}::int), 0)::float8 as bytes from run_takes where run_id = ${runId}`.execute(
    db,
  )
  return rows[0]?.bytes ?? 0
}

/**
 * Removes takes until the others have at most `limit` bytes: the oldest before newer ones, and pinned or chosen ones last. A
 * take that was chosen but is not the result of its unit yet is never removed, since its call would be paid for again.
 */
export async function trimTakes(tx: Db, runId: string, limit: number): Promise<void> {
  if ((await takesBytes(tx, runId)) <= limit) return
  await sql`
    delete from run_takes where ctid = any(array(
      select id from (
        select id, is_wanted, sum(bytes + ${frameBytes}::int) over (
          order by is_wanted desc, is_kept desc, made_at desc, node_id, item, cache_key) as up_to
        from (
          select k.ctid as id, k.*, k.pinned or k.chosen_at is not null as is_kept,
            coalesce(k.roll = (select r.roll from run_rolls r
                where r.run_id = k.run_id and r.node_id = k.node_id and r.item = k.item), false)
              and (select s.cache_key from run_states s where s.run_id = k.run_id and s.node_id = k.node_id
                and s.item = k.item and s.outputs is not null) is distinct from k.cache_key as is_wanted
          from run_takes k where k.run_id = ${runId}) as kept) as ranked
      where up_to > ${limit} and not is_wanted))`.execute(tx)
}

/**
 * Finds results in a run's takes by cache key, and returns at most `limit` bytes of their outputs. `bytes`: the size of the
 * outputs that were read. A take has no message of its own; its result has the one of the cache entry, if that still exists.
 */
export async function findTaken(
  db: Db,
  runId: string,
  keys: readonly string[],
  limit = Number.MAX_SAFE_INTEGER,
): Promise<{ found: Map<string, KnownResult>; bytes: number }> {
  const { rows } = await sql<KnownResult & { key: string; bytes: number }>`
    select key, outputs, (select c.message from node_cache c where c.key = found.key) as message, bytes from (
      select cache_key as key, outputs, bytes, sum(bytes) over (order by cache_key, node_id, item) as up_to
      from run_takes where run_id = ${runId} and cache_key = any(${[...keys]}::text[])) as found
    where up_to <= ${limit}`.execute(db)
  return {
    found: new Map(rows.map(({ key, outputs, message }) => [key, { outputs, message }])),
    bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
  }
}

/** The roll of a take, and the `inputs` that people had set on the unit when the take was made; null if they had set none. */
export type TakeMark = { roll: string; inputs: OwnInputs }

/**
 * Unit key → the roll and inputs of a take of the unit. `named`: the units, each with the cache key of a take (`take`). The
 * present result of a unit also counts as a take. A unit that has no take with this key is left out.
 */
export async function readTakeMarks(
  db: Db,
  runId: string,
  named: readonly (UnitName & { take: string })[],
): Promise<Map<string, TakeMark>> {
  if (named.length === 0) return new Map()
  const wanted = sql`(node_id, item, cache_key) in (
    select * from unnest(${named.map(({ node }) => node)}::text[], ${named.map(({ item }) => item)}::text[],
      ${named.map(({ take }) => take)}::text[]))`
  const { rows } = await sql<UnitName & TakeMark>`
    select node_id as node, item, roll, inputs from run_takes where run_id = ${runId} and ${wanted}
    union all
    select node_id, item, coalesce(roll, ''), inputs
    from (${presentTakes(runId, await staleNodes(db, runId))}) as present where ${wanted}`.execute(db)
  return new Map(rows.map(({ roll, inputs, ...unit }) => [unitKey(unit), { roll, inputs }]))
}

/** Records that somebody has chosen these takes, so that `trimTakes` removes them only after others. */
export async function markChosen(
  tx: Db,
  runId: string,
  chosen: readonly (UnitName & { take: string })[],
): Promise<void> {
  if (chosen.length === 0) return
  await sql`
    update run_takes t set chosen_at = now_ms()
    from unnest(${chosen.map(({ node }) => node)}::text[], ${chosen.map(({ item }) => item)}::text[],
      ${chosen.map(({ take }) => take)}::text[]) as c (node, item, take)
    where t.run_id = ${runId} and t.node_id = c.node and t.item = c.item and t.cache_key = c.take`.execute(tx)
}

/** Pins or unpins a take. Returns false if no such take is stored for the unit. */
export async function setPinned(
  tx: Db,
  runId: string,
  { node, item }: UnitName,
  key: string,
  pinned: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('run_takes')
    .set({ pinned })
    .where('run_id', '=', runId)
    .where('node_id', '=', node)
    .where('item', '=', item)
    .where('cache_key', '=', key)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) tellChanged(tx, 'run', runId)
  return numUpdatedRows > 0n
}

export type TakeRow = TakeMark & {
  key: string
  outputs: Record<string, unknown> | null
  credits: number
  generation: number
  made_at: Stamp
  pinned: boolean
  chosen: boolean
  current: boolean
}

/**
 * Lists the takes of a unit, newest first. If there are more than `limits.count`, the present result is listed, then as many
 * as fit of the pinned and chosen takes, then of the others, newer before older. Outputs beyond `limits.bytes` are null.
 */
export async function listTakes(
  db: Db,
  runId: string,
  { node, item }: UnitName,
  limits: { count: number; bytes: number },
): Promise<TakeRow[]> {
  const { rows } = await sql<TakeRow>`
    with present as materialized (
      select ${presentColumns} from (${presentTakes(runId, await staleNodes(db, runId))}) as all_present where node_id = ${node} and item = ${item}),
    takes as (
      select ${columns}, pinned, chosen_at is not null as chosen, cache_key in (select cache_key from present) as current
      from run_takes where run_id = ${runId} and node_id = ${node} and item = ${item}
      union all
      select ${columns}, false, false, true from present p where not exists (select from run_takes t
        where t.run_id = ${runId} and t.node_id = p.node_id and t.item = p.item and t.cache_key = p.cache_key)),
    first as (
      select *, sum(octet_length(coalesce(shown, outputs)::text)) over (order by current desc, made_at desc, cache_key) as up_to
      from (select * from takes order by current desc, pinned or chosen desc, made_at desc, cache_key
        limit ${limits.count}) as taken)
    select cache_key as key, roll, inputs, case when up_to <= ${limits.bytes} then coalesce(shown, outputs) end as outputs,
      credits, generation, iso(made_at) as made_at, pinned, chosen, current
    from first order by made_at desc, cache_key`.execute(db)
  return rows
}
