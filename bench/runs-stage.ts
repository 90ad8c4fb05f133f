// In charge of the set-up for benchmarks of runs: a service with its own database, and functions that start runs and await them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../server/src/commands/open.ts'
import { ensureOwner } from '../server/src/features/people/owner.ts'
import { systemClock } from '../server/src/platform/clock.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { type Database, openDatabase } from '../server/src/platform/db.ts'
import { createLog } from '../server/src/platform/log.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { postgresEngine } from '../server/src/platform/postgres.ts'
import { createApp } from '../server/src/wiring/app.ts'
import { startCluster } from '../server/test/support/cluster.ts'

export type Timed = { id: string; ms: number }

/** Whether the response to a start contains the whole run, or only where to find it. */
export type StartAnswer = 'whole' | 'minimal'

export type RunStage = {
  database: Database
  /** The database's URL; null on the embedded database. */
  url: string | null
  makeRun(definition: object): Promise<string>
  /** Starts a run and waits until it has succeeded. */
  run(id: string, body?: object, answer?: StartAnswer): Promise<Timed>
  start(id: string, body?: object, answer?: StartAnswer): Promise<void>
  untilSucceeded(ids: readonly string[]): Promise<void>
  read(path: string): Promise<string>
  /** Stops this process's own worker. */
  stopWorker(): Promise<void>
  /** Starts another process that works on runs; only possible on PostgreSQL. */
  spawnWorker(environment?: Record<string, string>): Promise<ChildProcess>
  close(): Promise<void>
}

/**
 * Returns how long to wait before the status of a run is read again, in ms; `ms` is the time since the run started. The pause is a
 * hundredth of that time (at least 4 and at most 50 ms): so the reads hardly slow down a long run, and the end of a short run is
 * noticed almost at once.
 */
const pauseAfter = (ms: number): number => Math.min(Math.max(ms / 100, 4), 50)

export async function openStage(kind: 'postgres' | 'embedded'): Promise<RunStage> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-runs-'))
  const log = createLog('warn')
  const cluster = kind === 'postgres' ? await startCluster({ durable: true }) : null
  const database = cluster
    ? openDatabase(postgresEngine(cluster.url, { connections: 10, log }))
    : (await openEmbedded({ dataDir: join(folder, 'data'), embeddedCommits: 'durable' })).database
  if (cluster) await migrate(database)
  const config = readConfig({ ATELIER_RATE_LIMIT: '0', ATELIER_FILES: join(folder, 'files'), ATELIER_DATA_DIR: folder })
  const owner = await ensureOwner(database, null)
  const app = await createApp({ config, database, log, clock: systemClock })
  await app.services.files.prepare()
  await app.worker.start()

  const ask = async (method: 'GET' | 'POST', url: string, body?: object, prefer?: string): Promise<string> => {
    const headers = {
      authorization: `Bearer ${owner?.token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(prefer ? { prefer } : {}),
    }
    const answer = await app.server.inject({ method, url, headers, ...(body ? { payload: JSON.stringify(body) } : {}) })
    if (answer.statusCode !== 200 && answer.statusCode !== 204)
      throw new Error(`${method} ${url}: ${answer.payload.slice(0, 500)}`)
    return answer.payload
  }
  const idOf = (text: string): string => JSON.parse(text).data.id
  const untilSucceeded = async (ids: readonly string[], began = performance.now()): Promise<void> => {
    for (;;) {
      const rows = await database.main
        .selectFrom('runs')
        .select(['status', 'error'])
        .where('id', 'in', [...ids])
        .execute()
      const broken = rows.find(({ status }) => !['queued', 'running', 'succeeded'].includes(status))
      if (broken) throw new Error(`A run ended as ${broken.status}: ${broken.error}`)
      if (rows.every(({ status }) => status === 'succeeded')) return
      await new Promise((resolve) => setTimeout(resolve, pauseAfter(performance.now() - began)))
    }
  }
  const start = async (id: string, body: object = {}, answer: StartAnswer = 'whole'): Promise<void> => {
    await ask('POST', `/api/v1/runs/${id}/start`, body, answer === 'minimal' ? 'return=minimal' : undefined)
  }
  return {
    database,
    url: cluster?.url ?? null,
    async makeRun(definition) {
      const graph = idOf(await ask('POST', '/api/v1/graphs', { name: 'Bench', definition }))
      return idOf(await ask('POST', `/api/v1/graphs/${graph}/runs`, {}))
    },
    async run(id, body, answer) {
      const began = performance.now()
      await start(id, body, answer)
      await untilSucceeded([id])
      return { id, ms: performance.now() - began }
    },
    start,
    untilSucceeded,
    read: (path) => ask('GET', path),
    stopWorker: () => app.worker.stop(),
    async spawnWorker(environment = {}) {
      const env = {
        ...process.env,
        ...environment,
        DATABASE_URL: cluster?.url ?? '',
        ATELIER_FILES: join(folder, 'files'),
        LOG_LEVEL: 'warn',
      }
      const child = spawn(process.execPath, ['server/src/main.ts', 'work'], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(child.stdout, 'data')
      return child
    },
    async close() {
      await app.stop()
      await cluster?.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
