// In charge of the SQL for budgets of runs: which budgets apply to a run, how much of them is spent, and how much runs in
// progress have reserved. A transaction may reserve more only after it has locked the rows of the budgets, so that concurrent
// starts do not reserve the same money. Amounts are millionths of a currency.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Budget, Clearance, Purse, Shortage } from '../model/clearance.ts'
import type { UnitName } from '../model/units.ts'
import { limitsIdleTime } from './brief-locks.ts'
import { overStatuses } from './unit-store.ts'

const columns = sql`id, person_id, period, amount::float8 as amount`
const applying = ({ personId, currency }: Pick<Purse, 'personId' | 'currency'>) =>
  sql`currency = ${currency} and (person_id is null or person_id = ${personId}::uuid)`

export async function readBudgets(db: Db, purse: Pick<Purse, 'personId' | 'currency'>): Promise<Budget[]> {
  return (await sql<Budget>`select ${columns} from budgets where ${applying(purse)} order by id`.execute(db)).rows
}

/** The amount above which a start needs an approval; null if there is no such amount. */
export async function readApprovalAbove(db: Db): Promise<number | null> {
  const { rows } = await sql<{ above: number | null }>`
    select approval_above::float8 as above from money_settings`.execute(db)
  return rows[0]?.above ?? null
}

/**
 * Adds to each of the budgets how much of it is spent, and how much runs in progress have reserved (`held`) beyond what they have
 * spent. A deleted run counts as ended even if it waits at a gate, because nobody can answer or cancel it.
 *
 * `spent` has a branch for each kind of budget, so that PostgreSQL reads each kind by its own index. For a budget, the branches of
 * the other kinds read nothing.
 *
 * `without`: the id of a run whose reservation does not count.
 */
export async function withUse<One extends { id: string }>(
  db: Db,
  budgets: readonly One[],
  { currency, month }: Pick<Purse, 'currency' | 'month'>,
  without: string | null = null,
): Promise<(One & { spent: number; held: number })[]> {
  if (budgets.length === 0) return []
  const { rows } = await sql<{ id: string; spent: number; held: number }>`
    with held as materialized (
      select c.person_id, c.month, sum(c.reserved - c.counted) as held
      from runs r join run_costs c on c.run_id = r.id and c.generation = r.generation
      where r.deleted_at is null and r.status in ('queued', 'running', 'awaiting_input') and c.reserved > c.counted
        and c.currency = ${currency} and r.id is distinct from ${without}::uuid
      group by c.person_id, c.month)
    select b.id,
      (select coalesce(sum(c.counted), 0)::float8 from (
        select counted from run_costs where b.person_id is null and b.period = 'always' and currency = ${currency}
        union all
        select counted from run_costs where b.person_id is null and b.period = 'month' and currency = ${currency} and month = ${month}
        union all
        select counted from run_costs where b.period = 'always' and currency = ${currency} and person_id = b.person_id
        union all
        select counted from run_costs
        where b.period = 'month' and currency = ${currency} and person_id = b.person_id and month = ${month}) as c) as spent,
      (select coalesce(sum(h.held), 0)::float8 from held h
        where (b.person_id is null or h.person_id = b.person_id) and (b.period = 'always' or h.month = ${month})) as held
    from budgets b where b.id = any(${budgets.map(({ id }) => id)}::uuid[])`.execute(db)
  const uses = new Map(rows.map((row) => [row.id, row]))
  return budgets.map((budget) => ({ ...budget, ...(uses.get(budget.id) ?? { spent: 0, held: 0 }) }))
}

/**
 * Locks the budgets that apply to a purse. Returns the first of them that has less than `wanted` left; null if all have
 * enough. `without`: the id of a run whose reservation does not count, because what is wanted replaces it.
 */
export async function lockAndFit(
  tx: Db,
  purse: Purse,
  wanted: number,
  without: string | null = null,
): Promise<Shortage | null> {
  const { rows } = await sql<Budget>`
    select ${columns} from budgets where ${applying(purse)} and ${limitsIdleTime} is not null order by id for update`.execute(
    tx,
  )
  for (const { spent, held, ...budget } of await withUse(tx, rows, purse, without)) {
    const left = budget.amount - spent - held
    if (wanted > left) return { budget, left: Math.max(left, 0) }
  }
  return null
}

/** Reserves money for the generation that a start is about to begin. The caller has locked the run and the budgets. */
export const reserve = (
  tx: Db,
  run: { id: string; generation: number },
  { purse, reserved, maxCost }: Clearance,
): Promise<void> => insertCosts(tx, run, { ...purse, maxCost, reserved, isCleared: true })

/**
 * Records who began a generation for which nothing is reserved. Its calls then count as spending of this person, and not of the
 * run's owner. The caller has locked the run.
 */
export const recordStarter = (
  tx: Db,
  run: { id: string; generation: number },
  starter: Pick<Purse, 'personId' | 'currency'> & Pick<Clearance, 'maxCost'>,
): Promise<void> => insertCosts(tx, run, { ...starter, month: null, reserved: 0, isCleared: false })

type NewCosts = Pick<Purse, 'personId' | 'currency'> &
  Pick<Clearance, 'maxCost' | 'reserved'> & { month: string | null; isCleared: boolean }

/** Adds the costs of a generation. `month`: null for the present one. */
async function insertCosts(
  tx: Db,
  run: { id: string; generation: number },
  { personId, month, currency, maxCost, reserved, isCleared }: NewCosts,
): Promise<void> {
  await sql`
    insert into run_costs (run_id, generation, graph_id, task_id, person_id, month, currency, max_cost, reserved, is_cleared)
    select r.id, ${run.generation}, r.graph_id, r.task_id, ${personId}::uuid,
      coalesce(${month}::text, to_char(now() at time zone 'utc', 'YYYY-MM')), ${currency}, ${maxCost}::bigint,
      ${reserved}::bigint, ${isCleared}::boolean
    from runs r where r.id = ${run.id}`.execute(tx)
}

/**
 * Reserves again what a run that waits at a gate had reserved before it was deleted. Called before the run is undeleted, while it
 * does not count as reserved. Other runs may have taken the money meanwhile; if a budget has too little left, nothing is reserved,
 * and each later call of the run reserves its own cost before it is made. The caller has locked the run.
 */
export async function holdAgain(tx: Db, run: { id: string; generation: number }): Promise<void> {
  const { rows } = await sql<{ person_id: string; currency: string; month: string; wanted: number }>`
    select person_id, currency, month, (reserved - counted)::float8 as wanted from run_costs
    where run_id = ${run.id} and generation = ${run.generation} and reserved > counted`.execute(tx)
  const [row] = rows
  if (!row) return
  const purse = { personId: row.person_id, currency: row.currency, month: row.month }
  if ((await lockAndFit(tx, purse, row.wanted)) === null) return
  await sql`
    update run_costs set reserved = counted where run_id = ${run.id} and generation = ${run.generation}`.execute(tx)
}

/** The present month in UTC, in the form in which costs are stored: `2026-11`. */
export async function currentMonth(db: Db): Promise<string> {
  const { rows } = await sql<{ month: string }>`
    select to_char(now() at time zone 'utc', 'YYYY-MM') as month`.execute(db)
  return rows[0]?.month ?? ''
}

/**
 * What has to be known about a run's present generation to decide whether more calls may be paid for. `isCleared`: whether the
 * start was checked and has reserved money; `maxCost`: the cost limit of the start, null if there is none; `reserved`: the
 * amount reserved so far; `counted`: the sum of what each call so far has cost or, while that is not known, may cost at most.
 */
export type RunPurse = Purse & {
  /** The currency in which the costs of the generation are counted; null if nothing is counted yet. */
  countedIn: string | null
  isCleared: boolean
  maxCost: number | null
  reserved: number
  counted: number
  /** Of the units that `readRunPurse` was asked about: the unit keys of those that already have a ledger entry. */
  begun: Set<string>
  /**
   * Whether a call without a maximum cost is in progress. An entry that a lost worker left open does not count once its unit is
   * over: the unit was served from the cache or has failed, so nothing will close the entry before the run comes to rest.
   */
  hasUnbounded: boolean
}

/**
 * If the generation has no row, an automation has started it, and the purse is that of the run's owner, for whom the automation
 * acts.
 */
export async function readRunPurse(
  tx: Db,
  { runId, generation }: { runId: string; generation: number },
  currency: string,
  units: readonly UnitName[],
): Promise<RunPurse> {
  const { rows } = await sql<{
    person_id: string
    month: string
    counted_in: string | null
    is_cleared: boolean
    max_cost: number | null
    reserved: number
    counted: number
    begun: string[]
    unbounded: boolean
  }>`
    select coalesce(c.person_id, r.owner_id) as person_id, coalesce(c.month, to_char(now() at time zone 'utc', 'YYYY-MM')) as month,
      c.currency as counted_in, coalesce(c.is_cleared, false) as is_cleared, c.max_cost::float8 as max_cost, coalesce(c.reserved, 0)::float8 as reserved,
      coalesce(c.counted, 0)::float8 as counted,
      array(select e.node_id || chr(10) || e.item from credit_entries e
        join unnest(${units.map(({ node }) => node)}::text[], ${units.map(({ item }) => item)}::text[]) as u (node, item)
          on e.node_id = u.node and e.item = u.item
        where e.run_id = r.id and e.generation = ${generation}) as begun,
      exists (select 1 from credit_entries e where e.run_id = r.id and e.generation = ${generation}
        and e.outcome = 'intended' and e.model is not null and e.planned_most is null
        and not exists (select 1 from run_states s where s.run_id = e.run_id and s.node_id = e.node_id and s.item = e.item
          and s.status = any(${overStatuses}::text[]))) as unbounded
    from runs r left join run_costs c on c.run_id = r.id and c.generation = ${generation}
    where r.id = ${runId}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`The run ${runId} is gone.`)
  return {
    ...{ personId: row.person_id, currency, month: row.month, isCleared: row.is_cleared, maxCost: row.max_cost },
    countedIn: row.counted_in,
    ...{ reserved: row.reserved, counted: row.counted, begun: new Set(row.begun), hasUnbounded: row.unbounded },
  }
}

/** Raises the amount that a generation of a run has reserved to `reserved`, unless it is already higher. */
export async function holdMore(
  tx: Db,
  runId: string,
  generation: number,
  purse: Purse,
  reserved: number,
): Promise<void> {
  await sql`
    insert into run_costs (run_id, generation, graph_id, task_id, person_id, month, currency, reserved)
    select r.id, ${generation}, r.graph_id, r.task_id, ${purse.personId}::uuid, ${purse.month}, ${purse.currency}, ${reserved}::bigint
    from runs r where r.id = ${runId}
    on conflict (run_id, generation) do update set reserved = greatest(run_costs.reserved, excluded.reserved)`.execute(
    tx,
  )
}
