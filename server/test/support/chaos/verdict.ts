// In charge of checking the result of the chaos test: compares every run with an undisturbed run of the same graph, and the ledger
// with the provider's log, and looks for temporary rows that were left behind.
import type pg from 'pg'
import { price, type UnitLog } from './provider.ts'

type Unit = {
  run_id: string
  node_id: string
  item: string
  item_count: number | null
  status: string
  outputs: unknown
  error: string | null
}
export type Ledger = {
  entries: number
  charged: number
  free: number
  unknown: number
  unknownButCharged: number
  lateAsks: number
}

const rowsOf = async <T extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<T[]> => (await client.query<T>(text, values)).rows

/** Lists what must not exist at the end: unfinished runs and units, cache claims, wake-ups, open ledger entries, violations. */
export async function leftBehind(client: pg.Client): Promise<string[]> {
  const found = await rowsOf<{ what: string }>(
    client,
    `select format('run %s is %s', id, status) as what from runs where status not in ('succeeded', 'failed', 'cancelled', 'draft')
     union all select format('the key %s is still claimed', key) from cache_claims
     union all select format('a wake-up is left: %s', data::text) from pgboss.job
       where name = 'run' and state in ('created', 'retry', 'active') and data->>'run_id' <> ''
     union all select format('the entry %s is still open', id) from credit_entries where outcome = 'intended'
     union all select format('%s of run %s is %s', node_id, run_id, s.status) from run_states s join runs r on r.id = s.run_id
       where s.status not in ('succeeded', 'cached', 'failed', 'skipped', 'cancelled') and r.status <> 'draft'
         and not (s.item = '' and s.item_count is not null)
     union all select what from chaos.violations`,
  )
  return found.map(({ what }) => what)
}

/** Runs whose sums of credits are wrong, or whose status does not match their error or the states of their units. */
export async function wrongSums(client: pg.Client): Promise<string[]> {
  const found = await rowsOf<{ what: string }>(
    client,
    `select format('run %s has %s of %s credits, its entries say %s of %s', r.id, r.credits_consumed, r.credits_total, e.now, e.ever) as what
     from runs r, lateral (select coalesce(sum(credits), 0) as ever,
       coalesce(sum(credits) filter (where generation = r.generation), 0) as now from credit_entries where run_id = r.id) e
     where r.credits_total <> e.ever or r.credits_consumed <> e.now
     union all select format('run %s is %s, its nodes say otherwise', r.id, r.status) from runs r
       where r.status in ('succeeded', 'failed') and (r.error is null) <> (r.status = 'succeeded')
     union all select format('run %s is %s, its nodes say otherwise', r.id, r.status) from runs r
       where r.status = 'succeeded' and exists (select from run_states s where s.run_id = r.id and s.item_count is null and s.status in ('failed', 'cancelled'))
         or r.status = 'failed' and not exists (select from run_states s where s.run_id = r.id and s.status = 'failed')
           and r.error not like 'The run was given up%'`,
  )
  return found.map(({ what }) => what)
}

type Entry = { id: string; outcome: string; credits: number; run_id: string; settled: number }

/** Compares the ledger with the provider's log. They must agree; the log has at most one charge for an entry that is `unknown`. */
export async function judgeLedger(
  client: pg.Client,
  units: ReadonlyMap<string, UnitLog>,
): Promise<{ ledger: Ledger; violations: string[] }> {
  const entries = await rowsOf<Entry>(
    client,
    'select id, outcome, credits, run_id, extract(epoch from settled_at)::float8 * 1000 as settled from credit_entries',
  )
  const takings = await rowsOf<{ taking: string }>(
    client,
    `select distinct run_id || ' ' || was_held_by as taking from chaos.moves where raised and was = 'running' and overdue`,
  )
  const taken = new Set(takings.map(({ taking }) => taking))
  const of = (outcome: string) => entries.filter((entry) => entry.outcome === outcome)
  const chargesOf = ({ id }: Entry) => units.get(id)?.charges ?? 0
  const violations = entries.flatMap((entry) => wrongEntry(entry, chargesOf(entry)))
  let lateAsks = 0
  for (const { id, run_id, settled } of of('charged')) {
    // `at` and `settled` are times of the same machine. A worker that has lost the run may send a request after the result was
    // saved, because it does not know of the loss yet.
    const late = (units.get(id)?.asked ?? []).filter(({ at }) => at > settled + 50)
    lateAsks += late.length
    for (const { by } of late) {
      if (!taken.has(`${run_id} ${by}`)) violations.push(`${by} asked for ${id} again after its result was saved`)
    }
  }
  const known = new Set(entries.map(({ id }) => id))
  for (const id of units.keys()) {
    if (!known.has(id)) violations.push(`the provider was asked for ${id}, which has no entry`)
  }
  const ledger = {
    entries: entries.length,
    charged: of('charged').length,
    free: of('free').length,
    unknown: of('unknown').length,
    unknownButCharged: of('unknown').filter((entry) => chargesOf(entry) > 0).length,
    lateAsks,
  }
  return { ledger, violations }
}

function wrongEntry({ id, outcome, credits }: Entry, charges: number): string[] {
  if (charges > 1) return [`the provider charged ${charges} times for ${id}`]
  const isRight = outcome === 'unknown' || (outcome === 'charged' ? charges === 1 && credits === price : charges === 0)
  return isRight ? [] : [`the entry ${id} is ${outcome} with ${credits} credits, the provider charged ${charges} times`]
}

/** Prepares one undisturbed run (the twin) for all runs with equal graph, rolls and answers; returns run id → twin id. */
export async function pairUp(
  client: pg.Client,
  make: (graphId: string) => Promise<string>,
): Promise<Map<string, string>> {
  const runs = await rowsOf<{ id: string; graph_id: string; marks: string }>(
    client,
    `select r.id, r.graph_id, md5(
       coalesce((select string_agg(node_id || item || roll, ',' order by node_id, item) from run_rolls where run_id = r.id), '')
       || coalesce((select string_agg(node_id || item || asked || answer, ',' order by node_id, item) from run_answers where run_id = r.id), '')) as marks
     from runs r where r.status in ('succeeded', 'failed', 'cancelled')`,
  )
  const calm = new Map<string, string>()
  const pairs = new Map<string, string>()
  for (const { id, graph_id, marks } of runs) {
    const key = `${graph_id} ${marks}`
    const twin = calm.get(key) ?? (await make(graph_id))
    pairs.set(id, twin)
    if (calm.has(key)) continue
    calm.set(key, twin)
    await client.query(
      'insert into run_rolls (run_id, node_id, item, position, roll) select $2, node_id, item, position, roll from run_rolls where run_id = $1',
      [id, twin],
    )
    await client.query(
      `insert into run_answers (run_id, node_id, item, position, asked, answer, at)
       select $2, node_id, item, position, asked, answer, at from run_answers where run_id = $1`,
      [id, twin],
    )
  }
  return pairs
}

/** Compares the results of each run with those of its undisturbed twin. Only unknown outcomes and cancels excuse a difference. */
export async function judgeRuns(client: pg.Client, pairs: ReadonlyMap<string, string>): Promise<string[]> {
  const all = await rowsOf<Unit>(
    client,
    'select run_id, node_id, item, item_count, status, outputs, error from run_states',
  )
  const statuses = new Map(
    (await rowsOf<{ id: string; status: string }>(client, 'select id, status from runs')).map(({ id, status }) => [
      id,
      status,
    ]),
  )
  const byRun = Map.groupBy(all, ({ run_id }) => run_id)
  const violations: string[] = []
  for (const [id, twin] of pairs) {
    const ours = new Map((byRun.get(id) ?? []).map((unit) => [`${unit.node_id} ${unit.item}`, unit]))
    const theirs = new Map((byRun.get(twin) ?? []).map((unit) => [`${unit.node_id} ${unit.item}`, unit]))
    const hasUnknown = [...ours.values()].some(({ error }) => error?.startsWith('outcome_unknown'))
    const isCut = hasUnknown || statuses.get(id) === 'cancelled'
    if (!isCut && ours.size !== theirs.size)
      violations.push(`run ${id} has ${ours.size} units, its twin ${twin} ${theirs.size}`)
    for (const [key, unit] of ours) {
      const difference = differenceOf(unit, theirs.get(key), isCut)
      if (difference) violations.push(`run ${id}, ${key}: ${difference}`)
    }
  }
  return violations
}

/** Ids of nodes that collect or choose from the results of others, or follow such a node: a missing result changes their output. */
const afterHoles = new Set(['all', 'both', 'pick', 'last'])

function differenceOf(unit: Unit, twin: Unit | undefined, isCut: boolean): string | null {
  if (unit.item_count !== null || (isCut && afterHoles.has(unit.node_id))) return null // items are compared, or inputs are missing
  const status = unit.status === 'cached' ? 'succeeded' : unit.status
  const calm = twin?.status === 'cached' ? 'succeeded' : twin?.status
  if (status === 'succeeded' && JSON.stringify(unit.outputs) !== JSON.stringify(twin?.outputs)) {
    return `gave ${JSON.stringify(unit.outputs)}, in calm ${JSON.stringify(twin?.outputs)}`
  }
  if (status === calm || isCut) return null
  return `${unit.status} (${unit.error}), in calm ${twin?.status} (${twin?.error})`
}
