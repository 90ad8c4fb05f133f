// In charge of the SQL that measures how many bytes a run has stored. Each row has its sizes in columns, so that no value has
// to be read for measuring.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { type UnitName, unitKey } from '../model/units.ts'

// Rows that earlier versions of Atelier wrote have no sizes. For such rows, these expressions measure the values themselves,
// until `noteOlder` has stored the sizes.
const outputsBytes = sql<number>`coalesce(outputs_bytes, octet_length(outputs::text), 0)`
const shownBytes = sql<number>`coalesce(shown_bytes, octet_length(outputs::text), 0)`
const keptBytes = sql<number>`coalesce(kept_bytes,
  coalesce(octet_length(request::text), 0) + coalesce(octet_length(checkpoint::text), 0))`

/** The bytes of JSON in those units of a run that were saved since its count of saves was `after`; by default, in all units. */
export async function stateBytes(db: Db, runId: string, after = -1): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(${outputsBytes}::float8 + ${keptBytes}), 0) as bytes
    from run_states where run_id = ${runId} and change > ${after}`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** The approximate bytes that a unit adds to a response, apart from its outputs, request and checkpoint. */
const frameBytes = 300

/** `older`: whether some rows had no stored sizes. */
export type Shown = { bytes: number; older: boolean }

/**
 * The approximate bytes, in a response, of those units of a run that were saved since its count of saves was `after`; by
 * default, of all units.
 */
export async function measureShown(db: Db, runId: string, after = -1): Promise<Shown> {
  const { rows } = await sql<Shown>`
    select coalesce(sum(${shownBytes}::float8 + ${keptBytes} + ${frameBytes}::int), 0) as bytes,
      coalesce(bool_or(outputs_bytes is null), false) as older
    from run_states where run_id = ${runId} and change > ${after}`.execute(db)
  return rows[0] ?? { bytes: 0, older: false }
}

/** Unit key → bytes of the unit's outputs, for all units that have outputs. */
export async function readSizes(db: Db, runId: string): Promise<Map<string, number>> {
  const { rows } = await sql<UnitName & { bytes: number }>`
    select node_id as node, item, ${outputsBytes}::float8 as bytes
    from run_states where run_id = ${runId} and outputs is not null`.execute(db)
  return new Map(rows.map((row) => [unitKey(row), row.bytes]))
}

/**
 * How many rows one statement of `noteOlder` changes. Each row may have megabytes, and the embedded database keeps the rows
 * that a statement changes in the memory of this process.
 */
const older = 8

/**
 * Stores the sizes of rows that earlier versions wrote without them. It writes the outputs of these rows again, unchanged, so
 * that a trigger measures the rows. Rows that another transaction has locked are skipped.
 */
export async function noteOlder(db: Db, runId: string): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      update run_states s set outputs = outputs from (
        select node_id, item from run_states where run_id = ${runId} and outputs_bytes is null
        order by node_id, item limit ${older} for update skip locked) as o
      where s.run_id = ${runId} and s.node_id = o.node_id and s.item = o.item`.execute(db)
    if ((numAffectedRows ?? 0n) === 0n) return
  }
}
