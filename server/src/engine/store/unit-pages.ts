// In charge of the SQL that reads units in parts, for runs that are too large to be held in memory.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { UnitName } from '../model/units.ts'
import { type Moment, ownColumns, type ShownRow, type TimedUnit, timed } from './run-changes.ts'

/** A unit, and its approximate size in a response. */
export type Sized = UnitName & { bytes: number }

/**
 * Which part of a run to read. `since`: only units that may have changed since this moment; null: all units. `node`: only
 * units of this node; null: of all nodes.
 */
export type Scope = { since: Moment | null; node: string | null }

type Run = { id: string; generation: number }

/**
 * The condition that a unit may have changed since a moment: it was saved since or, if a new generation has begun, it was saved
 * in the generation of that moment, so that its result now counts as cached.
 */
const isChanged = ({ generation }: Run, since: Moment) =>
  since.generation === generation
    ? sql<boolean>`change > ${since.changes}`
    : sql<boolean>`(change > ${since.changes} or generation = ${since.generation})`

/** The ids of the nodes in this part of the run; null stands for all nodes. */
async function touchedNodes(db: Db, run: Run, { since, node }: Scope): Promise<string[] | null> {
  if (since === null) return node === null ? null : [node]
  const { rows } = await sql<{ node_id: string }>`
    select distinct node_id from run_states where run_id = ${run.id} and ${isChanged(run, since)}
      ${node === null ? sql`` : sql`and node_id = ${node}`}`.execute(db)
  return rows.map(({ node_id }) => node_id)
}

/**
 * A node's own unit, which is not an item, without its outputs. `bytes`: its approximate size in a response. `looked`: whether
 * it may have changed since the moment `since` of the scope; true if there is no such moment.
 */
export type OwnUnit = TimedUnit & { bytes: number; looked: boolean }

/** Reads the own units of the nodes in this part of the run. */
export async function readOwn(db: Db, run: Run, scope: Scope): Promise<OwnUnit[]> {
  const nodes = await touchedNodes(db, run, scope)
  const { rows } = await sql<ShownRow & { bytes: number; looked: boolean }>`
    select ${ownColumns}, null::json as outputs, null::json as request, null::json as checkpoint,
      coalesce(shown_bytes, 0) + coalesce(kept_bytes, 0) as bytes,
      ${scope.since ? isChanged(run, scope.since) : sql`true`} as looked
    from run_states where run_id = ${run.id} and item = ''
      ${nodes === null ? sql`` : sql`and node_id = any(${nodes}::text[])`}
    order by node_id`.execute(db)
  return rows.map((row) => ({ ...timed(row), bytes: row.bytes, looked: row.looked }))
}

/**
 * The items of a node in this part of the run, sorted by position. If the node's own unit may have changed (`looked`), the
 * items of earlier generations are among them, since the status with which they are shown depends on the own unit.
 */
export async function readItemSizes(
  db: Db,
  run: Run,
  { node, looked }: { node: string; looked: boolean },
  since: Moment | null,
): Promise<Sized[]> {
  const older = looked ? sql`or generation < ${run.generation}` : sql``
  const { rows } = await sql<{ item: string; bytes: number }>`
    select item, coalesce(shown_bytes, 0) + coalesce(kept_bytes, 0) as bytes from run_states
    where run_id = ${run.id} and node_id = ${node} and item <> ''
      ${since ? sql`and (${isChanged(run, since)} ${older})` : sql``}
    order by position`.execute(db)
  return rows.map(({ item, bytes }) => ({ node, item, bytes }))
}

const named = (units: readonly UnitName[]) =>
  sql<boolean>`(node_id, item) in (select * from unnest(${units.map(({ node }) => node)}::text[],
    ${units.map(({ item }) => item)}::text[]))`

/**
 * A unit with its outputs as JSON text (`made`; null if there are none) and, if requested, the names of the ports that have
 * outputs.
 */
export type TextUnit = TimedUnit & { made: string | null; ports: readonly string[] }

type UnitsQuery = { runId: string; units: readonly UnitName[] }

/**
 * Calls `use` with the named units, in the order of `units`; units that do not exist any more are left out. After that, the
 * texts in them are set to null: otherwise the texts would stay in memory until the garbage collector has found the units.
 */
export async function useTexts<T>(
  db: Db,
  { runId, units, withPorts }: UnitsQuery & { withPorts: boolean },
  use: (found: readonly TextUnit[]) => T,
): Promise<T> {
  const ports = withPorts
    ? sql`case when coalesce(shown, outputs) is not null then array(select json_object_keys(coalesce(shown, outputs))) end`
    : sql`null::text[]`
  const { rows } = await sql<ShownRow & { made: string | null; ports: string[] | null }>`
    select ${ownColumns}, null::json as outputs, request, checkpoint, coalesce(shown, outputs)::text as made, ${ports} as ports
    from run_states where run_id = ${runId} and ${named(units)}`.execute(db)
  const rowOf = new Map(rows.map((row) => [`${row.node_id}\n${row.item}`, row]))
  const found = units.flatMap(({ node, item }): TextUnit[] => {
    const row = rowOf.get(`${node}\n${item}`)
    // `outputs` only shows whether there are outputs, which decides whether a result is valid; `made` contains their text.
    return row
      ? [{ ...timed(row), outputs: row.made === null ? null : {}, made: row.made, ports: row.ports ?? [] }]
      : []
  })
  const used = use(found)
  for (const holder of [...rows, ...found]) holder.made = null
  return used
}

/** Like `useTexts`, but `use` gets only the JSON texts of the outputs at one port, by the names of the items. */
export async function usePort<T>(
  db: Db,
  { runId, units, port }: UnitsQuery & { port: string },
  use: (values: ReadonlyMap<string, string>) => T,
): Promise<T> {
  const { rows } = await sql<{ item: string; value: string | null }>`
    select item, (coalesce(shown, outputs) -> ${port})::text as value
    from run_states where run_id = ${runId} and ${named(units)}`.execute(db)
  const values = new Map(rows.flatMap(({ item, value }) => (value === null ? [] : [[item, value] as const])))
  const used = use(values)
  values.clear()
  for (const row of rows) row.value = null
  return used
}

/**
 * A stored output. `digest`: the SHA-256 of its JSON text; `change`: the run's count of saves when its unit was saved;
 * `characters`: the length of the JSON text.
 */
export type WholeValue = { digest: string; change: number; characters: number }

/** Finds the value at a port of a unit; undefined if there is none. */
export async function findValue(
  db: Db,
  runId: string,
  { node, item }: UnitName,
  port: string,
): Promise<WholeValue | undefined> {
  const { rows } = await sql<WholeValue>`
    select encode(sha256(convert_to(value, 'UTF8')), 'hex') as digest, change, length(value) as characters
    from (select (outputs -> ${port})::text as value, change from run_states
      where run_id = ${runId} and node_id = ${node} and item = ${item}) as v
    where value is not null`.execute(db)
  return rows[0]
}

/** Reads a part of a value's JSON text; undefined if the unit was written again since the value was found. */
export async function readValuePart(
  db: Db,
  runId: string,
  { node, item, port, change }: UnitName & { port: string; change: number },
  from: number,
  characters: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ part: string }>`
    select substr((outputs -> ${port})::text, ${from + 1}::int, ${characters}::int) as part from run_states
    where run_id = ${runId} and node_id = ${node} and item = ${item} and change = ${change}`.execute(db)
  return rows[0]?.part
}
