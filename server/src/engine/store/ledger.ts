// In charge of credits: an entry is written before a paid call and closed with its result, one for a unit of work.
//
// `intended`: the call may have been made. Found by a later attempt, it says that somebody may have paid already: the
// call is made again only if its type is safe to repeat, under the same name, or goes on from a checkpoint. If not, the
// outcome is `unknown`, for a person to decide. `charged` and `free` are final: nothing of that unit is paid again. A worker
// that has lost its run, and has the answer it paid for, still makes `charged` of an entry that is open or unknown.

import { sql } from 'kysely'
import { type Db, tellChanged } from '../../platform/db.ts'
import { type UnitName, unitKey } from '../model/units.ts'
import type { RunLease } from './runs.ts'

/** `unit` is the idempotency key sent to the provider; `before` is how far an earlier attempt came: to the call, or to having paid for it. */
export type Intent = { unit: string; before: 'nothing' | 'intended' | 'charged' }
/** `id`: one for every attempt at the transaction, so that an entry that is found under it is our own. */
export type Intended = UnitName & { id: string; estimate: number }
export type ClosedEntry = UnitName & { outcome: 'charged' | 'free' | 'unknown'; credits: number }

/** Opens the entries of units under these ids, or finds them open under their own; by the ids given. */
export async function intend(tx: Db, runLease: RunLease, intended: readonly Intended[]): Promise<Map<string, Intent>> {
  if (intended.length === 0) return new Map()
  const { rows } = await sql<{ id: string; node_id: string; item: string; outcome: string }>`
    insert into credit_entries (id, run_id, generation, node_id, item, outcome, estimate)
    select x.id, ${runLease.runId}, ${runLease.generation}, x.node_id, x.item, 'intended', x.estimate
    from unnest(${intended.map(({ id }) => id)}::uuid[], ${intended.map(({ node }) => node)}::text[],
      ${intended.map(({ item }) => item)}::text[], ${intended.map(({ estimate }) => estimate)}::float8[])
      as x (id, node_id, item, estimate)
    on conflict (run_id, generation, node_id, item) do update set estimate = credit_entries.estimate
    returning id, node_id, item, outcome`.execute(tx)
  const entries = new Map(rows.map((row) => [unitKey({ node: row.node_id, item: row.item }), row]))
  return new Map(
    intended.map((one) => {
      const entry = entries.get(unitKey(one))
      if (!entry) throw new Error(`The entry of ${one.node} was not written.`)
      const before = entry.id === one.id ? 'nothing' : entry.outcome === 'charged' ? 'charged' : 'intended'
      return [one.id, { unit: entry.id, before }]
    }),
  )
}

/**
 * Closes the entries of calls, and adds to the sums of their run. A charged entry stays charged, whoever closes it again; an
 * unknown one becomes charged once a worker has the answer. The caller has locked the run.
 */
export async function closeEntries(
  tx: Db,
  { runId, generation }: Pick<RunLease, 'runId' | 'generation'>,
  closedEntries: readonly ClosedEntry[],
): Promise<void> {
  if (closedEntries.length === 0) return
  const { numAffectedRows } = await sql`
    with settled as (
      update credit_entries e set outcome = s.outcome, settled_at = now_ms(),
        credits = case when s.outcome = 'charged' then s.credits else 0 end
      from unnest(${closedEntries.map(({ node }) => node)}::text[], ${closedEntries.map(({ item }) => item)}::text[],
        ${closedEntries.map(({ outcome }) => outcome)}::text[], ${closedEntries.map(({ credits }) => credits)}::float8[])
        as s (node, item, outcome, credits)
      where e.run_id = ${runId} and e.generation = ${generation} and e.node_id = s.node and e.item = s.item
        and (e.outcome = 'intended' or (e.outcome = 'unknown' and s.outcome = 'charged'))
      returning e.credits),
    paid as (select sum(credits) as credits from settled)
    update runs r set credits_total = r.credits_total + paid.credits,
      credits_consumed = r.credits_consumed + case when r.generation = ${generation} then paid.credits else 0 end
    from paid where r.id = ${runId} and paid.credits > 0`.execute(tx)
  if (numAffectedRows !== 0n) tellChanged(tx, 'run', runId)
}

/** Entries a worker left open whose unit will not be tried again in this generation: their outcome is unknown. */
export async function abandon(tx: Db, runId: string, generation: number): Promise<void> {
  await tx
    .updateTable('credit_entries')
    .set({ outcome: 'unknown', settled_at: sql`now_ms()` })
    .where('run_id', '=', runId)
    .where('generation', '=', generation)
    .where('outcome', '=', 'intended')
    .execute()
}
