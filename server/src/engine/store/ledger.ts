// In charge of credits: an entry is written before a paid call and settled with its result, one for a unit of work.
//
// `intended`: the call may have been made. Found by a later attempt, it says that somebody may have paid already: the
// call is made again only if its type is safe to repeat, under the same name, or goes on from a checkpoint. If not, the
// outcome is `unknown`, for a person to decide. `charged` and `free` are final: nothing of that unit is paid again.

import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { UnitName } from '../model/units.ts'
import type { Hold } from './runs.ts'

/** `unit` is what the provider is told; `intended` before means that an earlier attempt got as far as the call. */
export type Intent = { unit: string; intendedBefore: boolean }
export type Settlement = UnitName & { outcome: 'charged' | 'free' | 'unknown'; credits: number }

/** Opens the entry of a unit under this id, or finds it open under its own. */
export async function intend(
  tx: Db,
  hold: Hold,
  { node, item }: UnitName,
  { id, estimate }: { id: string; estimate: number },
): Promise<Intent> {
  const { rows } = await sql<{ id: string }>`
    insert into credit_entries (id, run_id, generation, node_id, item, outcome, estimate)
    values (${id}, ${hold.runId}, ${hold.generation}, ${node}, ${item}, 'intended', ${estimate})
    on conflict (run_id, generation, node_id, item) do update set estimate = credit_entries.estimate
    returning id`.execute(tx)
  const unit = rows[0]?.id ?? id
  return { unit, intendedBefore: unit !== id }
}

/** What became of calls. An entry is settled once; answers the credits that were charged by this. */
export async function settle(tx: Db, hold: Hold, settlements: readonly Settlement[]): Promise<number> {
  let charged = 0
  for (const { node, item, outcome, credits } of settlements) {
    const { rows } = await sql<{ credits: number }>`
      update credit_entries set outcome = ${outcome}, credits = ${outcome === 'charged' ? credits : 0}, settled_at = now_ms()
      where run_id = ${hold.runId} and generation = ${hold.generation} and node_id = ${node} and item = ${item}
        and outcome = 'intended'
      returning credits`.execute(tx)
    charged += rows.reduce((sum, row) => sum + row.credits, 0)
  }
  return charged
}

/** Entries a worker left open whose unit will not be tried again in this generation: nobody knows what became of them. */
export async function abandon(tx: Db, runId: string, generation: number): Promise<void> {
  await tx
    .updateTable('credit_entries')
    .set({ outcome: 'unknown', settled_at: sql`now_ms()` })
    .where('run_id', '=', runId)
    .where('generation', '=', generation)
    .where('outcome', '=', 'intended')
    .execute()
}
