// In charge of `node bench/beside.ts [--only small|limit|lost]`, which measures many runs at a time: small runs beside a large one
// (`small`), a run whose provider's limit allows 100 calls at a time (`limit`), and the start of a service that was killed with 50
// unfinished runs (`lost`).
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { definitionOf } from '../server/test/support/definitions.ts'
import { startServing } from '../server/test/support/serving.ts'
import { openStage, type RunStage } from './runs-stage.ts'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const isAsked = (name: string): boolean => values.only === '' || values.only === name
const tell = (what: string, figure: string, note = ''): void => console.log(`| ${what} | ${figure} | ${note} |`)

/**
 * A graph with `count` paid items. For each item, a provider is called, which takes this many milliseconds. Graphs with different
 * labels send different prompts, so no outputs are taken from the cache.
 */
const items = (count: number, milliseconds: number, label: string) =>
  definitionOf(
    {
      rows: {
        type: 'list.collect',
        inputs: { values: Array.from({ length: count }, (_, index) => index.toString(36)) },
      },
      each: {
        type: 'sample.chat',
        params: { prompt: `${label} {{ row }}`, delay_ms: milliseconds },
        each: ['row'],
      },
    },
    'rows.list > each.row',
  )

const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0

/** Starts 20 small runs, one every 300 ms; returns how many ms each took from its start to its end. */
async function smallRuns(stage: RunStage, label: string): Promise<number[]> {
  const ids: string[] = []
  for (let at = 0; at < 20; at++) ids.push(await stage.makeRun(items(3, 200, `${label} ${at}`)))
  const runs: Promise<number>[] = []
  for (const id of ids) {
    runs.push(stage.run(id, {}, 'minimal').then(({ ms }) => ms))
    await wait(300)
  }
  return Promise.all(runs)
}

async function measureSmall(stage: RunStage): Promise<void> {
  const workers = []
  for (const count of [1, 2]) {
    workers.push(await stage.spawnWorker())
    await smallRuns(stage, `warm ${count}`)
    const alone = p95(await smallRuns(stage, `alone ${count}`))
    const large = await stage.makeRun(items(1500, 200, `large ${count}`))
    await stage.start(large, {}, 'minimal')
    await wait(500)
    const beside = p95(await smallRuns(stage, `beside ${count}`))
    await stage.untilSucceeded([large])
    const figures = `${Math.round(beside)} ms, alone ${Math.round(alone)} ms`
    tell(
      `p95 of 20 small runs beside 1,500 paid items, ${count} worker${count > 1 ? 's' : ''}`,
      `${(beside / alone).toFixed(2)} ×`,
      figures,
    )
  }
  for (const worker of workers) {
    worker.kill('SIGTERM')
    await once(worker, 'exit')
  }
}

/**
 * How many milliseconds a call takes; calls of real models may take as long. At 100 calls at a time, 5,000 calls take at least 150
 * s.
 */
const callMs = 3000

async function measureLimit(stage: RunStage): Promise<void> {
  const worker = await stage.spawnWorker({ ATELIER_PROVIDER_LIMITS: 'sample=100' })
  const run = await stage.makeRun(items(5000, callMs, 'limit'))
  const { ms } = await stage.run(run, {}, 'minimal')
  const least = (5000 * callMs) / 100
  tell(
    `5,000 calls of ${callMs / 1000} s at a limit of 100, one worker`,
    `${(ms / 1000).toFixed(1)} s`,
    `${(ms / least).toFixed(2)} × the least there can be`,
  )
  worker.kill('SIGTERM')
  await once(worker, 'exit')
}

/**
 * Kills a service while 50 runs are running and starts it again. Prints how long the start takes, how long a start without runs
 * takes, and how long after the start all 50 runs are running again.
 */
async function measureLost(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-lost-'))
  const environment = {
    ...{ ATELIER_DATA_DIR: folder, ATELIER_FILES: join(folder, 'files'), ATELIER_RATE_LIMIT: '0', LOG_LEVEL: 'error' },
    ATELIER_WORKER_RUNS: '50',
  }
  const startOf = async () => {
    const began = performance.now()
    const service = await startServing(environment)
    return { service, ms: performance.now() - began }
  }
  try {
    const first = await startServing(environment)
    const token = first.access
    first.kill('SIGTERM')
    await first.ended
    const { service, ms: calm } = await startOf()
    for (let at = 0; at < 50; at++) {
      const definition = items(20, 60_000, `lost ${at}`)
      const graph = await service.ask('POST', '/api/v1/graphs', { token, body: { name: `Lost ${at}`, definition } })
      const run = await service.ask('POST', `/api/v1/graphs/${graph.body.data.id}/runs`, { token, body: {} })
      await service.ask('POST', `/api/v1/runs/${run.body.data.id}/start`, { token, body: {} })
    }
    const running = async (of: typeof service): Promise<number> =>
      (await of.ask('GET', '/api/v1/runs?status=running&limit=100', { token })).body.data.items.length
    while ((await running(service)) < 50) await wait(100)
    service.kill('SIGKILL')
    await service.ended
    const again = await startOf()
    const ready = performance.now()
    while ((await running(again.service)) < 50) await wait(50)
    tell(
      'a start after a kill with 50 runs under way, embedded',
      `${(again.ms / 1000).toFixed(1)} s`,
      `${(calm / 1000).toFixed(1)} s with none; all 50 go on ${((performance.now() - ready) / 1000).toFixed(1)} s later`,
    )
    again.service.kill('SIGKILL')
    await again.service.ended
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

console.log('| runs beside each other | | |\n|---|---|---|')
if (isAsked('small') || isAsked('limit')) {
  const stage = await openStage('postgres')
  await stage.stopWorker()
  if (isAsked('small')) await measureSmall(stage)
  if (isAsked('limit')) await measureLimit(stage)
  await stage.close()
}
if (isAsked('lost')) await measureLost()
