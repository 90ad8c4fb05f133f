// In charge of the statements that measure what a run has made, without sending any of it here.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { type UnitName, unitKey } from '../model/units.ts'

/** Bytes of JSON in the states of a run that were written after a count of saves. Nothing of it is sent here. */
export async function stateBytes(db: Db, runId: string, after = -1): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(coalesce(octet_length(outputs::text), 0)::float8 + coalesce(octet_length(request::text), 0)
      + coalesce(octet_length(checkpoint::text), 0)), 0) as bytes
    from run_states where run_id = ${runId} and change > ${after}`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Bytes of the outputs that each unit of a run has. */
export async function readSizes(db: Db, runId: string): Promise<Map<string, number>> {
  const { rows } = await sql<UnitName & { bytes: number }>`
    select node_id as node, item, octet_length(outputs::text)::float8 as bytes
    from run_states where run_id = ${runId} and outputs is not null`.execute(db)
  return new Map(rows.map((row) => [unitKey(row), row.bytes]))
}
