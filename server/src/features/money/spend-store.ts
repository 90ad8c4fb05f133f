// In charge of the statements on what was spent: by run, task, product, person, model, month or creative. Free calls are none of it.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export type SpendBy = keyof typeof groups
type SpendRow = {
  key: string | null
  name: string | null
  calls: number
  amount: number
  at_most: number
  planned_most: number | null
}

/** How entries are put together, and what a group is called. */
const groups = {
  run: { key: sql`e.run_id::text`, name: sql`max(g.name)`, of: sql`` },
  task: { key: sql`c.task_id::text`, name: sql`max(t.name)`, of: sql`` },
  product: {
    key: sql`t.product_id::text`,
    name: sql`max(p.name)`,
    of: sql`left join products p on p.id = t.product_id`,
  },
  person: {
    key: sql`c.person_id::text`,
    name: sql`max(coalesce(u.name, k.name))`,
    of: sql`left join users u on u.id = c.person_id left join tokens k on k.id = c.person_id`,
  },
  model: { key: sql`e.model`, name: sql`e.model`, of: sql`` },
  month: { key: sql`to_char(e.at at time zone 'utc', 'YYYY-MM')`, name: sql`null::text`, of: sql`` },
} as const

/** What was spent in a currency between two days, the most first. */
export async function readSpend(
  db: Db,
  by: SpendBy,
  { currency, from, to, take }: { currency: string; from: string | null; to: string | null; take: number },
): Promise<SpendRow[]> {
  const { key, name, of } = groups[by]
  const { rows } = await sql<SpendRow>`
    select ${key} as key, ${name} as name, count(*)::int as calls,
      coalesce(sum(e.amount), 0)::float8 as amount, sum(e.counted)::float8 as at_most,
      case when bool_or(e.planned_most is null) then null else sum(e.planned_most)::float8 end as planned_most
    from credit_entries e
    join run_costs c on c.run_id = e.run_id and c.generation = e.generation
    left join graphs g on g.id = c.graph_id
    left join tasks t on t.id = c.task_id
    ${of}
    where e.model is not null and e.currency = ${currency} and e.outcome <> 'free'
      ${from === null ? sql`` : sql`and to_char(e.at at time zone 'utc', 'YYYY-MM-DD') >= ${from}`} ${to === null ? sql`` : sql`and to_char(e.at at time zone 'utc', 'YYYY-MM-DD') <= ${to}`}
    group by ${key} ${by === 'model' ? sql`, e.model` : sql``}
    order by at_most desc, key limit ${take}`.execute(db)
  return rows
}

/** What the present generation of a run was planned to cost, and what it cost. */
export async function readRunCosts(db: Db, runId: string, generation: number, currency: string) {
  const { rows } = await sql<{
    calls: number
    planned_least: number
    planned_most: number | null
    amount: number
    at_most: number
    max_cost: number | null
  }>`
    select count(e.id)::int as calls, coalesce(sum(e.planned_least), 0)::float8 as planned_least,
      case when bool_or(e.planned_most is null) then null else coalesce(sum(e.planned_most), 0)::float8 end as planned_most,
      coalesce(sum(e.amount), 0)::float8 as amount, coalesce(sum(e.counted), 0)::float8 as at_most,
      (select max_cost::float8 from run_costs where run_id = ${runId} and generation = ${generation}) as max_cost
    from credit_entries e
    where e.run_id = ${runId} and e.generation = ${generation} and e.model is not null and e.outcome <> 'free'`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error('A sum has no row.')
  return { currency, ...row }
}
