// In charge of the ledger of paid calls. An entry is written before a call that may cost something or must not be repeated,
// and is closed with the result; it is removed if the worker stops before any provider has done something. A unit has at most one entry in each generation, however often its call is attempted.
//
// Outcomes of an entry. `intended`: the call may have been made. If a later attempt finds such an entry, the call may have
// been paid for. The attempt then goes on only in three cases: the type is safe to repeat under the same idempotency key; the
// type asks the provider about the earlier call; or there is a checkpoint from which the call continues. Otherwise the entry
// becomes `unknown`, and a person decides whether to pay again. `charged` and `free` are final: nothing changes such an entry
// any more. If a worker has lost its run and then receives the result of a paid call, it still changes the call's entry from
// `intended` or `unknown` to `charged`.

import { sql } from 'kysely'
import type { CallCost, Cost } from '../../nodes/node-type.ts'
import { countCredits, countLedgerEntries } from '../../platform/counts.ts'
import { afterCommit, type Db, tellChanged } from '../../platform/db.ts'
import { rowsAs } from '../../platform/rows.ts'
import { type UnitName, unitKey } from '../model/units.ts'
import type { RunLease } from './runs.ts'

/**
 * The entry of a call. `unit`: its id, which is sent to the provider as the idempotency key. `before`: what an earlier attempt
 * at the call has left: no entry (`nothing`), an entry that is `charged`, or an entry with any other outcome (`intended`).
 * `isOtherCurrency`: the entry was opened under a list of models in another currency than the present one. What the call says that
 * it has cost must then not be booked in the entry, whose amounts are in the currency of the earlier list.
 */
export type Intent = { unit: string; before: 'nothing' | 'intended' | 'charged'; isOtherCurrency: boolean }
/**
 * A call whose entry is to be opened. `id` is new for each attempt at the call, and stays the same if the transaction is
 * repeated: an entry with this id was therefore written by this attempt, not by an earlier one. `estimate`: the least that the
 * call costs, in credits. `cost`: what it may cost in money; null or left out if no provider is paid for it.
 */
export type Intended = UnitName & { id: string; estimate: number; cost?: CallCost | null }
/** `cost`: the money paid for the call; null: the amount is not known; undefined: the node type did not say. */
export type ClosedEntry = {
  /** The entry's id. */
  entry: string
  outcome: 'charged' | 'free' | 'unknown'
  credits: number
  cost?: Cost | null | undefined
}

const askedRows = rowsAs('a', {
  ...{ id: 'uuid', node_id: 'text', item: 'text', estimate: 'float8', model: 'text', currency: 'text' },
  ...{ planned_least: 'bigint', planned_most: 'bigint' },
})
const closedRows = rowsAs('c', {
  ...{ entry: 'uuid', outcome: 'text', credits: 'float8', is_said: 'boolean', amount: 'bigint', amount_by: 'text' },
})

/**
 * Opens the entries of calls; if a unit already has an entry in this generation, finds that entry instead. The keys of the
 * result are the ids in `intended`, even for entries that were found. The maximum cost of a new entry (its minimum, if there
 * is no maximum) is added to the run's costs at once, so that other calls cannot spend this money too. If the generation has no
 * costs yet, an automation has started it, and they are those of the run's owner, for whom the automation acts.
 */
export async function intend(tx: Db, runLease: RunLease, intended: readonly Intended[]): Promise<Map<string, Intent>> {
  if (intended.length === 0) return new Map()
  const isPriced = intended.some(({ cost }) => cost)
  const asked = askedRows(
    intended.map(({ id, node, item, estimate, cost }) => ({
      ...{ id, node_id: node, item, estimate, model: cost?.model ?? null, currency: cost?.currency ?? null },
      ...{ planned_least: cost?.least ?? null, planned_most: cost?.most ?? null },
    })),
  )
  const opening = sql`
    insert into credit_entries (id, run_id, generation, node_id, item, outcome, estimate, model, currency, planned_least,
      planned_most, counted)
    select a.id, ${runLease.runId}, ${runLease.generation}, a.node_id, a.item, 'intended', a.estimate, a.model, a.currency,
      a.planned_least, a.planned_most, coalesce(a.planned_most, a.planned_least, 0)
    from ${asked.from}
    on conflict (run_id, generation, node_id, item) do update set estimate = credit_entries.estimate
    returning id, node_id, item, outcome, model, currency, counted, xmax = 0 as is_new`
  type Entry = { id: string; node_id: string; item: string; outcome: string; currency: string | null }
  const { rows } = await (isPriced
    ? sql<Entry>`${asked.begin('intend_priced')}
        with entry as (${opening}),
        counting as (
          insert into run_costs (run_id, generation, graph_id, task_id, person_id, month, currency, counted)
          select r.id, ${runLease.generation}, r.graph_id, r.task_id, r.owner_id, to_char(now() at time zone 'utc', 'YYYY-MM'),
            min(e.currency), sum(e.counted)
          from entry e join runs r on r.id = ${runLease.runId}
          where e.model is not null and e.is_new group by r.id
          on conflict (run_id, generation) do update set counted = run_costs.counted + excluded.counted)
        select id, node_id, item, outcome, currency from entry`
    : sql<Entry>`${asked.begin('intend_calls')} ${opening}`
  ).execute(tx)
  const entries = new Map(rows.map((row) => [unitKey({ node: row.node_id, item: row.item }), row]))
  return new Map(
    intended.map((one) => {
      const entry = entries.get(unitKey(one))
      if (!entry) throw new Error(`The entry of ${one.node} was not written.`)
      const before = entry.id === one.id ? 'nothing' : entry.outcome === 'charged' ? 'charged' : 'intended'
      const isOtherCurrency = entry.currency !== null && one.cost ? entry.currency !== one.cost.currency : false
      return [one.id, { unit: entry.id, before, isOtherCurrency }]
    }),
  )
}

/**
 * Closes the entries of calls, and adds their cost to the sums of the run. Entries that are already `charged` or `free` stay
 * as they are; an `unknown` entry can only become `charged`. The caller has locked the run.
 */
export async function closeEntries(
  tx: Db,
  { runId, generation }: Pick<RunLease, 'runId' | 'generation'>,
  closedEntries: readonly ClosedEntry[],
): Promise<void> {
  if (closedEntries.length === 0) return
  const closed = closedRows(
    closedEntries.map(({ entry, outcome, credits, cost }) => ({
      ...{ entry, outcome, credits: outcome === 'charged' ? credits : 0, is_said: cost !== undefined },
      ...{ amount: cost?.amount ?? null, amount_by: cost?.by ?? null },
    })),
  )
  // If the node type does not say what the call cost, and the call had a fixed price, the call cost this price.
  const amount = sql`case when c.outcome = 'free' then 0 when c.outcome = 'unknown' then null when c.is_said then c.amount
    when e.planned_least = e.planned_most then e.planned_least end`
  // Until an entry is closed, its maximum cost (its minimum, if there is no maximum) is counted.
  const { numAffectedRows } = await sql`${closed.begin('close_entries')}
    with closed as (
      update credit_entries e set outcome = c.outcome, settled_at = now_ms(), credits = c.credits, amount = ${amount},
        amount_by = case when c.outcome <> 'charged' then null when c.is_said then c.amount_by
          when e.planned_least = e.planned_most then 'price' end,
        counted = coalesce(${amount}, e.counted)
      from ${closed.from}
      where e.id = c.entry and (e.outcome = 'intended' or (e.outcome = 'unknown' and c.outcome = 'charged'))
      returning e.credits, e.counted - coalesce(e.planned_most, e.planned_least, 0) as counted),
    paid as (select sum(credits) as credits, sum(counted) as counted from closed),
    costing as (
      update run_costs c set counted = c.counted + paid.counted
      from paid where c.run_id = ${runId} and c.generation = ${generation} and paid.counted <> 0)
    update runs r set credits_total = r.credits_total + paid.credits,
      credits_consumed = r.credits_consumed + case when r.generation = ${generation} then paid.credits else 0 end
    from paid where r.id = ${runId} and paid.credits > 0`.execute(tx)
  if (numAffectedRows !== 0n) tellChanged(tx, 'run', runId)
  afterCommit(tx, () => count(closedEntries))
}

function count(closedEntries: readonly ClosedEntry[]): void {
  for (const { outcome, credits } of closedEntries) {
    if (outcome !== 'free') countLedgerEntries(outcome)
    if (outcome === 'charged') countCredits(credits)
  }
}

/**
 * Removes the ledger entry of a call that was not made, and what was counted for the call, so that a later worker makes it as a
 * new call. What is reserved stays: it is for the run as a whole. The caller has locked the run.
 */
export async function withdrawCall(
  tx: Db,
  { runId, generation }: { runId: string; generation: number },
  entry: string,
): Promise<void> {
  await sql`
    with withdrawn as (
      delete from credit_entries where id = ${entry}::uuid and run_id = ${runId} and outcome = 'intended' returning counted)
    update run_costs c set counted = c.counted - withdrawn.counted
    from withdrawn where c.run_id = ${runId} and c.generation = ${generation} and withdrawn.counted <> 0`.execute(tx)
}

/**
 * Marks those entries of a generation that are still `intended` as `unknown`. The worker that opened them did not close them,
 * and their calls will not be attempted again in this generation.
 */
export async function abandon(tx: Db, runId: string, generation: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('credit_entries')
    .set({ outcome: 'unknown', settled_at: sql`now_ms()` })
    .where('run_id', '=', runId)
    .where('generation', '=', generation)
    .where('outcome', '=', 'intended')
    .executeTakeFirst()
  afterCommit(tx, () => countLedgerEntries('unknown', Number(numUpdatedRows)))
}
