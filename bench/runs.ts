// In charge of measuring the overhead of the engine that executes runs: against writing the same rows directly, against the engine
// DBOS, and for different amounts of work. Calls of the sample provider take no time.
// `node bench/runs.ts [--database postgres|embedded] [--dbos]`; with --dbos, only the comparison with DBOS is made.
import { parseArgs } from 'node:util'
import { definitionIssues } from '@atelier/contract/graph/graph-rules.ts'
import { sql } from 'kysely'
import { createRegistry, defaultNodeTypes } from '../server/src/nodes/registry.ts'
import { definitionOf } from '../server/test/support/definitions.ts'
import { type Beside, measureBesideDbos } from './dbos.ts'
import { openStage, type RunStage, type StartAnswer } from './runs-stage.ts'

const { values } = parseArgs({
  options: { database: { type: 'string', default: 'postgres' }, dbos: { type: 'boolean', default: false } },
})

const names = (count: number, label: string): string[] =>
  Array.from({ length: count }, (_, index) => `${label} ${index}`)
const template = { type: 'text.template', params: { template: '{{ text }}' } }
const source = { type: 'input.text', params: { value: 'x' } }

const free = () => template
const chain = (length: number, node: (id: string) => { type: string; params: object } = free) =>
  definitionOf(
    Object.fromEntries(names(length, 'n').map((id, index) => [id, index === 0 ? source : node(id)])),
    ...names(length - 1, 'n').map((id, index) => `${id}.text > n ${index + 1}.text`),
  )
const wide = (width: number, node: (id: string) => { type: string; params: object } = free) =>
  definitionOf(
    { source, ...Object.fromEntries(names(width - 1, 'n').map((id) => [id, node(id)])) },
    ...names(width - 1, 'n').map((id) => `source.text > ${id}.text`),
  )
const fan = (count: number, node: { type: string; params: object }, port: string, label: string) =>
  definitionOf(
    { rows: { type: 'list.collect', inputs: { values: names(count, label) } }, each: { ...node, each: [port] } },
    `rows.list > each.${port}`,
  )
const chat = (params: object) => ({ type: 'sample.chat', params })
/** Makes paid nodes. If no earlier run used the same label, none of their outputs is in the cache. */
const paid = (label: string) => (id: string) => chat({ prompt: `${label}, ${id}: {{ text }}` })

const besideDbos: Beside[] = [
  { what: 'a chain of 1,000 free nodes', make: (count) => chain(count), dbos: 'one after the other', credits: 0 },
  { what: '1,000 free nodes beside each other', make: (count) => wide(count), dbos: 'together', credits: 0 },
  {
    what: 'a chain of 1,000 paid nodes, each durable before the next',
    make: (count, label) => chain(count, paid(label)),
    dbos: 'one after the other',
    credits: 1,
  },
  {
    what: '1,000 paid nodes beside each other, each durable by itself',
    make: (count, label) => wide(count, paid(`${label}, wide`)),
    dbos: 'together',
    credits: 1,
  },
]

const tell = (what: string, figure: string, note = ''): void => console.log(`| ${what} | ${figure} | ${note} |`)
const ms = (value: number, digits = 2): string => `${value.toFixed(digits)} ms`
const median = (times: readonly number[]): number =>
  percentile(
    times.toSorted((a, b) => a - b),
    0.5,
  )
const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.floor((sorted.length - 1) * part)] ?? 0

/**
 * Writes the rows that a run with this many units leaves, directly with one statement in one transaction; returns the time in ms.
 */
async function byHand({ database }: RunStage, count: number): Promise<number> {
  const id = '019a0000-0000-7000-8000-000000000001'
  await sql`create table if not exists by_hand (like run_states including all)`.execute(database.main)
  await sql`truncate by_hand`.execute(database.main)
  const rows = names(count, 'n').map((node) => ({ node_id: node, outputs: { text: node } }))
  const began = performance.now()
  await database.tx((tx) =>
    sql`insert into by_hand (run_id, node_id, item, status, outputs, change)
      select ${id}, x.node_id, '', 'succeeded', x.outputs, 1
      from json_to_recordset(${JSON.stringify(rows)}::json) as x (node_id text, outputs json)`.execute(tx),
  )
  return performance.now() - began
}

async function measureOverhead(stage: RunStage): Promise<void> {
  await stage.run(await stage.makeRun(chain(20)))
  for (const [what, definition, count] of [
    ['a chain of 1,000 free nodes', chain(1000), 1000],
    ['1,000 free nodes beside each other', wide(1000), 1000],
    ['one node over 5,000 free items', fan(5000, template, 'text', 'f'), 5000],
  ] as const) {
    const { id, ms: took } = await stage.run(await stage.makeRun(definition))
    const hand = await byHand(stage, count)
    tell(what, `${ms(took / count)} each`, `${(took / hand).toFixed(1)} × the same rows by hand (${ms(hand, 0)})`)
    const [minimal, whole] = [await stage.run(id, {}, 'minimal'), await stage.run(id)]
    tell('… started again: nothing to do', `${ms(minimal.ms, 0)}; ${ms(whole.ms, 0)} answered whole`)
  }
  const served = wide(1000, (id) => chat({ prompt: `served ${id}` }))
  await stage.run(await stage.makeRun(served))
  tell('1,000 nodes in another run, all from the cache', ms((await stage.run(await stage.makeRun(served))).ms, 0))
  const paid = await stage.run(await stage.makeRun(fan(1000, chat({}), 'prompt', 'paid')))
  tell('one node over 1,000 paid items', `${ms(paid.ms / 1000)} each`, 'intent, call, result: each durable')
}

async function measureLatency(stage: RunStage): Promise<void> {
  const waits: number[] = []
  for (let round = 0; round < 60; round++) {
    const { id } = await stage.run(await stage.makeRun(chain(1)))
    const { rows } = await sql<{ wait: number }>`
      select extract(epoch from min(s.started_at) - r.queued_at)::float8 * 1000 as wait
      from runs r join run_states s on s.run_id = r.id where r.id = ${id} group by r.queued_at`.execute(
      stage.database.main,
    )
    waits.push(rows[0]?.wait ?? 0)
  }
  waits.sort((a, b) => a - b)
  tell('accepted to first node', `p50 ${ms(percentile(waits, 0.5), 0)}, p95 ${ms(percentile(waits, 0.95), 0)}`)
}

/**
 * Measures the re-roll of one item in runs with more and more items: how long it takes, and how much is written and sent for it.
 */
async function measureReroll(stage: RunStage): Promise<void> {
  for (const count of [50, 500, 5000]) {
    const { id } = await stage.run(await stage.makeRun(fan(count, chat({ credits: 0 }), 'prompt', `r${count}`)))
    const whole = (await stage.read(`/api/v1/runs/${id}`)).length
    const before = await written(stage)
    const reroll = async (answer: StartAnswer): Promise<number> => {
      const times: number[] = []
      for (let round = 0; round < 7; round++) {
        times.push((await stage.run(id, { regenerate: [{ node_id: 'each', item: 7 }] }, answer)).ms)
      }
      return median(times)
    }
    const [minimal, answered] = [await reroll('minimal'), await reroll('whole')]
    const bytes = ((await written(stage)) - before) / 14
    const { since } = JSON.parse(await stage.read(`/api/v1/runs/${id}/changes`)).data
    await stage.run(id, { regenerate: [{ node_id: 'each', item: 7 }] }, 'minimal')
    const news = (await stage.read(`/api/v1/runs/${id}/changes?since=${since}`)).length
    tell(
      `a re-roll of 1 item of ${count}`,
      `${ms(minimal, 0)}; ${ms(answered, 0)} where the start is answered with the whole run`,
      `${(bytes / 1024).toFixed(0)} KB written; the whole run is ${(whole / 1024).toFixed(0)} KB, what changed by one more ${(news / 1024).toFixed(1)} KB`,
    )
  }
}

/** Returns how many bytes of write-ahead log were written so far; 0 on the embedded database, which does not report the number. */
async function written({ database, url }: RunStage): Promise<number> {
  if (url === null) return 0
  const { rows } = await sql<{ bytes: number }>`select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`.execute(
    database.main,
  )
  return rows[0]?.bytes ?? 0
}

async function measureGrowth(stage: RunStage): Promise<void> {
  if (stage.url === null) return
  for (const count of [500, 5000]) {
    const before = await written(stage)
    await stage.run(await stage.makeRun(fan(count, chat({ credits: 0 }), 'prompt', `g${count}`)))
    tell(`a run of ${count} items writes`, `${(((await written(stage)) - before) / count).toFixed(0)} bytes an item`)
  }
}

function measureRules(): void {
  const types = createRegistry(
    defaultNodeTypes({
      models: null,
      allowedHosts: [],
      labelRules: [],
      readTask: async () => null,
      lookUp: async () => [],
    }),
  ).wire
  const definition = chain(1000)
  for (let warm = 0; warm < 5; warm++) definitionIssues(definition, types)
  const began = performance.now()
  for (let round = 0; round < 10; round++) definitionIssues(definition, types)
  tell('validation of 1,000 nodes', ms((performance.now() - began) / 10, 1))
}

const stage = await openStage(values.database === 'embedded' ? 'embedded' : 'postgres')
console.log(`| ${values.database} | | |\n|---|---|---|`)
if (!values.dbos) {
  await measureOverhead(stage)
  await measureLatency(stage)
  await measureReroll(stage)
  await measureGrowth(stage)
  measureRules()
}
await measureBesideDbos(stage, besideDbos, 1000, tell)
await stage.close()
