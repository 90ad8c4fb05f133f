// In charge of measuring how long a page of the board takes while the same process plans and runs the largest allowed graphs.
// `node bench/board.ts [--database embedded|postgres] [--only WORD]`: requests a page every 25 ms, without awaiting earlier pages.
// With `--only`, only the graphs whose description contains WORD are measured.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startCluster } from '../server/test/support/cluster.ts'
import { definitionOf } from '../server/test/support/definitions.ts'
import { type Serving, startServing } from '../server/test/support/serving.ts'

const { values } = parseArgs({
  options: { database: { type: 'string', default: 'embedded' }, only: { type: 'string', default: '' } },
})

/** On the embedded database, the outputs of a call may have at most 1 MB; on PostgreSQL they may have 8 MB. */
const isEmbedded = values.database === 'embedded'

const template = { type: 'text.template', params: { template: '{{ text }}' } }
const collect = (inputs: object = {}, params: object = {}) => ({ type: 'list.collect', inputs, params })
const each = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
/** The texts are short, because the inputs of a node may have at most 64 KB. */
const texts = (count: number): string[] => each(count).map((index) => index.toString(36))

/**
 * Builds a graph in levels of two nodes. Both nodes collect the two values of the level before, so the values double in size at
 * each level. `first`: the value of the source. `last`: the nodes after the last level, by id.
 */
function doubling(levels: number, first: string, last: Record<string, { type: string; params?: object }>): object {
  const nodes = each(levels).flatMap((level) => [`a${level}`, `b${level}`])
  const before = (level: number) =>
    level === 0 ? ['first.list', 'first.list'] : [`a${level - 1}.list`, `b${level - 1}.list`]
  const port = { 'json.expression': 'value', 'list.pick': 'list', 'gate.edit': 'value' } as Record<string, string>
  return definitionOf(
    {
      first: collect({ values: [first] }),
      ...Object.fromEntries(nodes.map((id) => [id, collect({}, { join_lists: false })])),
      ...last,
    },
    ...each(levels).flatMap((level) =>
      [`a${level}`, `b${level}`].flatMap((id) => [...new Set(before(level))].map((from) => `${from} > ${id}.values`)),
    ),
    ...Object.entries(last).map(([id, { type }]) => `a${levels - 1}.list > ${id}.${port[type]}`),
  )
}

const corpus: { what: string; definition: object }[] = [
  {
    what: `18 values of ${isEmbedded ? '1.0' : '7.7'} MB, picked from and passed through expressions`,
    definition: doubling(isEmbedded ? 5 : 8, 'x'.repeat(60_000), {
      ...Object.fromEntries(each(8).map((at) => [`pass${at}`, { type: 'list.pick', params: {} }])),
      ...Object.fromEntries(
        each(8).map((at) => [`ask${at}`, { type: 'json.expression', params: { expression: 'value' } }]),
      ),
    }),
  },
  {
    what: '2,000 nodes, half in a chain',
    definition: definitionOf(
      {
        source: { type: 'input.text', params: { value: 'x' } },
        ...Object.fromEntries(each(1999).map((at) => [`n${at}`, template])),
      },
      ...each(1999).map((at) => `${at === 0 || at >= 1000 ? 'source' : `n${at - 1}`}.text > n${at}.text`),
    ),
  },
  {
    what: '10,000 rows, each with the whole table',
    definition: definitionOf(
      {
        rows: collect({ values: texts(10_000) }),
        each: { type: 'text.template', params: { template: '{{ row }} of {{ table.size }}' }, each: ['row'] },
      },
      'rows.list > each.row',
      'rows.list > each.table',
    ),
  },
  {
    what: '27 levels that double, then an expression',
    definition: doubling(27, 'x', { ask: { type: 'json.expression', params: { expression: 'value' } } }),
  },
  {
    what: '5,000 paid items',
    definition: definitionOf(
      {
        rows: collect({ values: texts(5000) }),
        each: { type: 'sample.chat', each: ['prompt'] },
      },
      'rows.list > each.prompt',
    ),
  },
]

const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-board-'))
const cluster = values.database === 'postgres' ? await startCluster({ durable: true }) : null
const service = await startServing({
  ...{ ATELIER_DATA_DIR: folder, ATELIER_FILES: join(folder, 'files'), ATELIER_RATE_LIMIT: '0', LOG_LEVEL: 'error' },
  ...(cluster ? { DATABASE_URL: cluster.url } : {}),
})
const token = service.access
const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0

/** Requests the board every 25 ms until `work` is done. `waits`: how many ms each request took. `result`: what `work` returned. */
async function boardBeside<T>(work: () => Promise<T>): Promise<{ waits: number[]; result: T }> {
  const over = new AbortController()
  const waits: number[] = []
  const pages: Promise<void>[] = []
  const page = async (): Promise<void> => {
    const began = performance.now()
    const answer = await fetch(`${service.url}/api/v1/tasks/board`, { headers: { authorization: `Bearer ${token}` } })
    await answer.text()
    if (answer.status !== 200) throw new Error(`The board answered ${answer.status}.`)
    waits.push(performance.now() - began)
  }
  const ask = async (): Promise<void> => {
    for (; !over.signal.aborted; await wait(25)) {
      const one = page()
      one.catch(() => over.abort()) // the error is thrown below, where all requests are awaited
      pages.push(one)
    }
  }
  const asking = ask()
  const result = await work()
  over.abort()
  await asking
  await Promise.all(pages)
  return { waits, result }
}

async function made(ask: ReturnType<Serving['ask']>): Promise<{ id: string; status: string }> {
  const { status, body } = await ask
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body).slice(0, 500)}`)
  return body.data
}

const tell = (what: string, waits: readonly number[], note = ''): void => {
  const figures = [0.5, 0.99, 1].map((part) => `${Math.round(percentile(waits, part))}`)
  console.log(`| ${what} | ${figures.join(' · ')} ms of ${waits.length} | ${note} |`)
}

/**
 * Plans a run and then executes it to its end, while the board is requested again and again. Prints how long the plan and the run
 * took and how the run ended; returns how many ms each request for the board took.
 */
async function planAndRun(what: string, definition: object): Promise<number[]> {
  const graph = await made(service.ask('POST', '/api/v1/graphs', { token, body: { name: what, definition } }))
  const { id } = await made(service.ask('POST', `/api/v1/graphs/${graph.id}/runs`, { token, body: {} }))
  const began = performance.now()
  const planned = await boardBeside(async () => {
    await made(service.ask('POST', `/api/v1/runs/${id}/plan`, { token, body: {} }))
    return performance.now() - began
  })
  tell(`${what}: planned`, planned.waits, `${(planned.result / 1000).toFixed(1)} s`)
  const start = performance.now()
  const run = await boardBeside(async () => {
    const started = await fetch(`${service.url}/api/v1/runs/${id}/start`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', prefer: 'return=minimal' },
      body: '{}',
    })
    if (started.status !== 204) throw new Error(`The start answered ${started.status}: ${await started.text()}`)
    for (; ; await wait(200)) {
      const cards = await service.ask('GET', `/api/v1/runs?graph_id=${graph.id}`, { token })
      const [card] = cards.body.data.items
      if (!['queued', 'running'].includes(card.status)) return card.status
    }
  })
  tell(`${what}: run`, run.waits, `${run.result} after ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return [...planned.waits, ...run.waits]
}

void service.ended.then(({ code, signal }) => {
  if (signal !== 'SIGTERM') console.error(`The service ended (${code ?? signal}): ${service.stderr().slice(-4000)}`)
})
try {
  for (const name of texts(100))
    await made(service.ask('POST', '/api/v1/tasks', { token, body: { name: `Campaign ${name}` } }))
  await boardBeside(() => wait(2000))
  console.log('| the board | p50 · p99 · longest | |\n|---|---|---|')
  const { waits: alone } = await boardBeside(() => wait(8000))
  tell('alone', alone)
  const beside: number[] = []
  for (const { what, definition } of corpus.filter(({ what }) => what.includes(values.only)))
    beside.push(...(await planAndRun(what, definition)))
  tell('all of it', beside, `p99 ${Math.round(percentile(beside, 0.99) - percentile(alone, 0.99))} ms more than alone`)
} finally {
  service.kill('SIGTERM')
  await service.ended
  await cluster?.remove()
  rmSync(folder, { recursive: true, force: true })
}
