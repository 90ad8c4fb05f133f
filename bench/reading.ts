// In charge of measuring what it costs the service when clients read large runs: memory, and the delay for other requests.
// `node bench/reading.ts [--database postgres|embedded]`: six clients read a run of 200 MB at the same time, while others request
// the board.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openConfigured } from '../server/src/commands/open.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { createLog } from '../server/src/platform/log.ts'
import { startCluster } from '../server/test/support/cluster.ts'
import { rowsOf } from '../server/test/support/harness.ts'
import { growRun } from '../server/test/support/large-run.ts'
import { type Serving, startServing } from '../server/test/support/serving.ts'

const { values } = parseArgs({ options: { database: { type: 'string', default: 'postgres' } } })
const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-reading-'))
const cluster = values.database === 'postgres' ? await startCluster({ durable: true }) : null
const environment: Record<string, string> = {
  ...{ ATELIER_DATA_DIR: folder, ATELIER_FILES: join(folder, 'files'), ATELIER_RATE_LIMIT: '0', LOG_LEVEL: 'error' },
  ...(cluster ? { DATABASE_URL: cluster.url } : {}),
}

const megabytesOf = (pid: number, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const sizes = [
  { what: '100 items of 1.9 MB', items: 100, bytes: 1_900_000 },
  { what: '3,200 items of 60 KB', items: 3200, bytes: 60_000 },
]

/** Reads a whole response without keeping it; returns its size in bytes. */
async function readThrough(url: string, token: string): Promise<number> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 200 || !answer.body) throw new Error(`${url}: ${answer.status}`)
  let bytes = 0
  for await (const chunk of answer.body) bytes += chunk.length
  return bytes
}

async function measure(service: Serving, token: string, what: string, path: string): Promise<void> {
  const idle = megabytesOf(service.pid, 'VmRSS')
  let highest = idle
  const over = new AbortController()
  const waits: number[] = []
  const watch = async (): Promise<void> => {
    for (; !over.signal.aborted; await wait(20)) highest = Math.max(highest, megabytesOf(service.pid, 'VmRSS'))
  }
  const others = async (): Promise<void> => {
    for (; !over.signal.aborted; await wait(20)) {
      const began = performance.now()
      await readThrough(`${service.url}/api/v1/tasks/board`, token)
      waits.push(performance.now() - began)
    }
  }
  const beside = [watch(), others()]
  const began = performance.now()
  const sent = await Promise.all(Array.from({ length: 6 }, () => readThrough(service.url + path, token)))
  const seconds = (performance.now() - began) / 1000
  over.abort()
  await Promise.all(beside)
  const slowest = waits.toSorted((a, b) => a - b)[Math.floor((waits.length - 1) * 0.99)] ?? 0
  const figures = [`${Math.round((sent[0] ?? 0) / 1e6)} MB sent to each`, `${seconds.toFixed(1)} s`]
  console.log(
    `| ${what} | ${figures.join(' | ')} | ${Math.round(idle)} MB, ${Math.round(highest - idle)} more | ${Math.round(slowest)} ms |`,
  )
}

const definition = {
  version: 1,
  nodes: { list: { type: 'list.collect', version: 1, inputs: { values: ['a'] } } },
  edges: [],
}

try {
  const first = await startServing(environment)
  const token = first.access
  const made: string[] = []
  for (const { what } of sizes) {
    const graph = await first.ask('POST', '/api/v1/graphs', { token, body: { name: what, definition } })
    const run = await first.ask('POST', `/api/v1/graphs/${graph.body.data.id}/runs`, { token, body: {} })
    made.push(run.body.data.id)
  }
  first.kill('SIGTERM')
  await first.ended
  const { database } = await openConfigured(readConfig(environment), createLog('error'))
  for (const [at, size] of sizes.entries()) await growRun(rowsOf(database), made[at] ?? '', size)
  await database.close()

  const service = await startServing(environment)
  console.log('| six read at once | | | memory, idle and more | p99 of the board |\n|---|---|---|---|---|')
  for (let round = 0; round < 20; round++) await readThrough(`${service.url}/api/v1/tasks/board`, token)
  for (const [at, { what }] of sizes.entries()) {
    await measure(service, token, `${what}, all of it`, `/api/v1/runs/${made[at]}`)
    await measure(service, token, `${what}, what changed`, `/api/v1/runs/${made[at]}/changes`)
  }
  await measure(service, token, 'one value of 1.9 MB', `/api/v1/runs/${made[0]}/nodes/large/outputs/text?item=3`)
  service.kill('SIGTERM')
  await service.ended
} finally {
  await cluster?.remove()
  rmSync(folder, { recursive: true, force: true })
}
