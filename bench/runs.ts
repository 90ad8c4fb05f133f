// In charge of what the engine of runs costs over the work itself: time per node and item, against the bare writes that
// any durable engine makes. `node bench/runs.ts [--database postgres|embedded]`; nothing in it waits for a provider.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createApp } from '../server/src/app.ts'
import { openEmbedded } from '../server/src/commands/open.ts'
import { ensureOwner } from '../server/src/features/people/owner.ts'
import { systemClock } from '../server/src/platform/clock.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { type Database, openDatabase } from '../server/src/platform/db.ts'
import { createLog } from '../server/src/platform/log.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { postgresEngine } from '../server/src/platform/postgres.ts'
import { startCluster } from '../server/test/support/cluster.ts'
import { definitionOf } from '../server/test/support/definitions.ts'

const { values } = parseArgs({ options: { database: { type: 'string', default: 'postgres' } } })
const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-runs-'))
const log = createLog('warn')
const cluster = values.database === 'postgres' ? await startCluster({ durable: true }) : null
const database = cluster
  ? openDatabase(postgresEngine(cluster.url, { connections: 10, log }))
  : (await openEmbedded(join(folder, 'data'))).database
if (cluster) await migrate(database)
const config = readConfig({ ATELIER_RATE_LIMIT: '0', ATELIER_FILES: join(folder, 'files'), ATELIER_DATA_DIR: folder })
const owner = await ensureOwner(database, null)
const app = await createApp({ config, database, log, clock: systemClock })
await app.services.files.prepare()
await app.worker.start()

const ask = async (method: 'GET' | 'POST', url: string, body?: object) => {
  const headers = { authorization: `Bearer ${owner?.token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  const answer = await app.server.inject({ method, url, headers, ...(body ? { payload: JSON.stringify(body) } : {}) })
  if (answer.statusCode !== 200) throw new Error(`${method} ${url}: ${answer.payload.slice(0, 500)}`)
  return JSON.parse(answer.payload).data
}
const statusOf = async (id: string): Promise<string | undefined> =>
  (await database.main.selectFrom('runs').select('status').where('id', '=', id).executeTakeFirst())?.status

/** Milliseconds from the start of a run of this definition to its rest. */
async function timeRun(
  definition: object,
  expected = 'succeeded',
): Promise<{ ms: number; id: string; startMs: number }> {
  const graph = await ask('POST', '/api/v1/graphs', { name: 'Bench', definition })
  const run = await ask('POST', `/api/v1/graphs/${graph.id}/runs`, {})
  return timeStart(run.id, expected)
}

async function timeStart(id: string, expected = 'succeeded', body: object = {}) {
  const began = performance.now()
  await ask('POST', `/api/v1/runs/${id}/start`, body)
  const startMs = performance.now() - began
  for (;;) {
    const status = await statusOf(id)
    if (status !== 'queued' && status !== 'running') {
      if (status !== expected) throw new Error(`The run ended as ${status}.`)
      return { ms: performance.now() - began, id, startMs }
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** One row written and committed, so many times, one after another: what each saved unit cannot cost less than. */
async function timeBareWrites(of: Database, count: number): Promise<number> {
  await sql`create table if not exists bare (id int primary key, value json)`.execute(of.main)
  const began = performance.now()
  for (let index = 0; index < count; index++) {
    await of.tx((tx) =>
      sql`insert into bare values (${index}, '{"a":1}') on conflict (id) do update set value = excluded.value`.execute(
        tx,
      ),
    )
  }
  return (performance.now() - began) / count
}

const chain = (length: number) =>
  definitionOf(
    Object.fromEntries(
      Array.from({ length }, (_, index) => [
        `n${index}`,
        index === 0
          ? { type: 'input.text', params: { value: 'x' } }
          : { type: 'text.template', params: { template: '{{ text }}' } },
      ]),
    ),
    ...Array.from({ length: length - 1 }, (_, index) => `n${index}.text > n${index + 1}.text`),
  )
const fan = (type: string, items: number, label: string) =>
  definitionOf(
    {
      rows: {
        type: 'list.collect',
        inputs: { values: Array.from({ length: items }, (_, index) => `${label} ${index}`) },
      },
      each:
        type === 'text.template'
          ? { type, params: { template: '{{ text }}' }, each: ['text'] }
          : { type, each: ['prompt'] },
    },
    `rows.list > each.${type === 'text.template' ? 'text' : 'prompt'}`,
  )

const tell = (what: string, ms: number, per: number, bare: number): void => {
  const each = ms / per
  console.log(
    `  ${what.padEnd(52)} ${(ms / 1000).toFixed(2).padStart(7)} s   ${each.toFixed(2).padStart(6)} ms each   ${(each / bare).toFixed(1).padStart(5)} × a bare write`,
  )
}

await timeRun(chain(20))
const bare = await timeBareWrites(database, 500)
console.log(`${values.database}: one bare write ${bare.toFixed(2)} ms`)
const single: number[] = []
for (let round = 0; round < 30; round++) single.push((await timeRun(chain(1))).ms)
single.sort((a, b) => a - b)
console.log(
  `  start to rest of a run of one free node: median ${single[15]?.toFixed(0)} ms, 95 % ${single[28]?.toFixed(0)} ms`,
)
tell('a chain of 1,000 free nodes', (await timeRun(chain(1000))).ms, 1000, bare)
const free = await timeRun(fan('text.template', 5000, 'free'))
tell('5,000 free items', free.ms, 5000, bare)
const paid = await timeRun(fan('sample.chat', 1000, 'paid'))
tell('1,000 paid items, nothing to wait for', paid.ms, 1000, bare)
tell('the same again, all from the cache', (await timeStart(paid.id)).ms, 1000, bare)
const began = performance.now()
await ask('GET', `/api/v1/runs/${free.id}`)
console.log(`  reading a run of 5,000 items: ${(performance.now() - began).toFixed(0)} ms`)

await app.stop()
await cluster?.remove()
rmSync(folder, { recursive: true, force: true })
