// In charge of the set-up for a benchmark: a separate PostgreSQL with a large and a small workspace, a service on each, the floor
// (a bare server with the same statements) and the load generator.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { ensureOwner } from '../server/src/features/people/owner.ts'
import { openDatabase, type Statement } from '../server/src/platform/db.ts'
import { createLog } from '../server/src/platform/log.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { postgresEngine } from '../server/src/platform/postgres.ts'
import { type Cluster, startCluster } from '../server/test/support/cluster.ts'
import { type Capture, type Read, startCapture } from './capture.ts'
import { fillPacks, fillTasks, type Sql } from './data.ts'
import type { FloorCommand } from './floor.ts'
import type { Command, LaneResult, LoadResult } from './generator.ts'
import type { Ask } from './line.ts'
import { benchToken, type Cpu, migrateBy, type Server, startServer, startTalker } from './processes.ts'

export type Settings = {
  tasks: number
  seconds: number
  rounds: number
  profile?: string | undefined
  before?: string | undefined
}

export type Stage = {
  settings: Settings
  databaseUrl: string
  /** Ids of tasks that are not deleted and have a hundred creatives each. */
  packs: string[]
  ours: Server
  /** The service on a workspace of `smallTasks` tasks. */
  small: Server
  smallUrl: string
  smallTasks: number
  /** The service of another checkout on a separate workspace with the same data; null if no checkout is given. */
  before: Server | null
  beforeSql: Sql | null
  capture: Capture
  /**
   * Makes the floor answer these paths with the reads that the service does for them. Returns the requests for these paths, as the
   * next three functions do.
   */
  teachFloor(paths: readonly string[]): Promise<Ask[]>
  /** Makes the floor answer these paths with the given statements. */
  teachStatements(known: Record<string, Statement & { values: readonly unknown[] }>): Promise<Ask[]>
  /** Makes the floor answer these paths, below `/part`, with the reads that `choose` keeps. */
  teachPart(paths: readonly string[], choose: (reads: Read[]) => Read[]): Promise<Ask[]>
  /**
   * Makes the floor answer one path for each of these POST bodies, with the reads that the service does for it. The requests have
   * the bodies too, so that the floor receives as much as the service.
   */
  teachBodies(path: string, bodies: readonly string[]): Promise<Ask[]>
  floorPort: number
  floorCpu: Cpu
  load(command: Omit<Extract<Command, { kind: 'load' }>, 'kind'>): Promise<LoadResult>
  alternate(lanes: Ask[][], seconds?: number): Promise<LaneResult[]>
  sql: Sql
  close(): Promise<void>
}

export const packCount = 200
const smallTasks = 10_000

type Tell = (line: string) => void

/**
 * Settings that give PostgreSQL's own cache a quarter of the memory (at most 4 GB), as its manual recommends, and enough memory to
 * build indexes.
 */
function clusterSettings(): Record<string, string> {
  const quarter = Math.min(4096, Math.floor(totalmem() / 4 / 1024 / 1024))
  return {
    shared_buffers: `${quarter}MB`,
    effective_cache_size: `${quarter * 2}MB`,
    maintenance_work_mem: `${Math.min(1024, Math.floor(quarter / 4))}MB`,
    max_wal_size: '8GB',
    checkpoint_timeout: '30min',
    random_page_cost: '1.1',
    max_parallel_maintenance_workers: '1',
  }
}

const sqlOn =
  (client: pg.Client): Sql =>
  async (text, values = []) => {
    const { rows } = await client.query<unknown[]>({ text, values, rowMode: 'array' })
    return rows
  }

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  return client
}

/**
 * Creates a database with the service's schema, an owner and this many tasks. Returns the database's URL and the ids of the tasks
 * that got packs of creatives. If `checkout` is set, the schema is that of the version in this folder.
 */
export async function createWorkspace(
  cluster: Cluster,
  name: string,
  tasks: number,
  tell: Tell,
  { checkout, packs: count = packCount }: { checkout?: string; packs?: number } = {},
) {
  const admin = await connected(cluster.url)
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(cluster.url)
  url.pathname = name
  if (checkout !== undefined) await migrateBy(checkout, url.href, mkdtempSync(path.join(tmpdir(), 'atelier-bench-')))
  const database = openDatabase(postgresEngine(url.href, { connections: 2, log: createLog('warn') }))
  if (checkout === undefined) await migrate(database)
  await ensureOwner(database, benchToken)
  await database.close()
  const clients = [await connected(url.href), await connected(url.href)] as const
  await fillTasks([sqlOn(clients[0]), sqlOn(clients[1])], tasks, tell)
  const packs = await fillPacks(sqlOn(clients[0]), count)
  tell('statistics')
  await clients[0].query('vacuum analyze')
  for (const client of clients) await client.end()
  return { url: url.href, packs }
}

export async function setStage(settings: Settings, tell: Tell): Promise<Stage> {
  const started = performance.now()
  tell('PostgreSQL')
  const cluster = await startCluster({ durable: true, settings: clusterSettings() })
  const folder = mkdtempSync(path.join(tmpdir(), 'atelier-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { url: databaseUrl, packs } = await createWorkspace(cluster, 'bench', settings.tasks, tell)
  const { url: smallUrl } = await createWorkspace(cluster, 'bench_small', smallTasks, () => undefined)
  const client = await connected(databaseUrl)
  await client.query('checkpoint')
  tell(`filled in ${Math.round((performance.now() - started) / 1000)} s; starting servers`)

  const profile = settings.profile
  const ours = await startServer({ databaseUrl, dataDir: path.join(folder, 'ours'), profile })
  const before = settings.before
    ? await startBefore(cluster, settings.before, settings.tasks, path.join(folder, 'before'), tell)
    : null
  const small = await startServer({ databaseUrl: smallUrl, dataDir: path.join(folder, 'small') })
  const capture = await startCapture(databaseUrl)
  const floor = startTalker('floor.ts', 'server')
  const tellFloor = (command: FloorCommand) => floor.ask<{ port: number }>(command)
  const { port: floorPort } = await tellFloor({ databaseUrl })
  const generator = startTalker('generator.ts', 'load')
  const generate = <T>(command: Command) => generator.ask<T>(command)

  const teach = async (paths: readonly string[], names: readonly string[], choose = (reads: Read[]) => reads) => {
    const known: Record<string, Read[]> = {}
    for (const [at, it] of paths.entries()) known[names[at] ?? it] = choose(await capture.readsOf(it))
    await tellFloor({ paths: known })
    return names.map((it) => ({ port: floorPort, path: it }))
  }

  return {
    settings,
    databaseUrl,
    packs,
    ours,
    small,
    smallUrl,
    smallTasks,
    before: before?.server ?? null,
    beforeSql: before?.sql ?? null,
    capture,
    teachFloor: (paths) => teach(paths, paths),
    async teachStatements(known) {
      const paths = Object.fromEntries(
        Object.entries(known).map(([it, read]) => [it, [{ ...read, timeoutMs: null, after: null }]]),
      )
      await tellFloor({ paths })
      return Object.keys(paths).map((it) => ({ port: floorPort, path: it }))
    },
    teachPart: (paths, choose) =>
      teach(
        paths,
        paths.map((it) => `/part${it}`),
        choose,
      ),
    async teachBodies(path, bodies) {
      const known: Record<string, Read[]> = {}
      for (const [at, body] of bodies.entries()) known[`${path}/${at}`] = await capture.readsOf(path, body)
      await tellFloor({ paths: known })
      return Object.keys(known).map((it, at) => askWith(floorPort, it, bodies[at] ?? ''))
    },
    floorPort,
    floorCpu: floor.cpu,
    load: (command) => generate<LoadResult>({ kind: 'load', ...command }),
    alternate: (lanes, seconds = settings.seconds * 3) =>
      generate<LaneResult[]>({ kind: 'alternate', lanes, seconds, atLeast: 10 }),
    sql: sqlOn(client),
    async close() {
      await generator.close()
      await floor.close()
      await Promise.all([ours.end(), small.end(), capture.close(), before?.end()])
      await client.end()
      await cluster.remove()
    },
  }
}

async function startBefore(cluster: Cluster, checkout: string, tasks: number, dataDir: string, tell: Tell) {
  const { url } = await createWorkspace(cluster, 'bench_before', tasks, tell, { checkout })
  const client = await connected(url)
  const server = await startServer({ databaseUrl: url, dataDir, checkout })
  return {
    server,
    sql: sqlOn(client),
    end: async () => {
      await server.end()
      await client.end()
    },
  }
}

/** A POST request to the floor. */
const askWith = (port: number, path: string, body: string): Ask => ({ port, path, method: 'POST', body })

/** A GET request to a server of the service. */
export const askOf = ({ port, token }: Server, path: string): Ask => ({ port, token, path })

type Page = { data: { tasks: unknown[]; meta: { next_cursor: string | null; total: number | null } } }

async function readPage({ port, token }: Server, path: string): Promise<Page['data']> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  const page: Page = JSON.parse(await answer.text())
  return page.data
}

export const readTotal = async (server: Server, path: string): Promise<number | null> =>
  (await readPage(server, path)).meta.total

const withParameter = (path: string, parameter: string) => `${path}${path.includes('?') ? '&' : '?'}${parameter}`

/**
 * Returns the paths of `count` consecutive pages of 24 cards; the first page begins `depth` cards into the feed. The pages are
 * found by following cursors from the start of the feed, as a client would.
 */
export async function pagesAt(server: Server, feed: string, depth: number, count: number): Promise<string[]> {
  let cursor: string | null = null
  const follow = async (limit: number): Promise<string> => {
    const here: string = withParameter(feed, `limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`)
    cursor = (await readPage(server, here)).meta.next_cursor
    if (cursor === null) throw new Error(`${feed} ends before a depth of ${depth}.`)
    return cursor
  }
  for (let at = 0; at < depth; at += 100) await follow(Math.min(100, Math.max(1, depth - at)))
  const pages: string[] = []
  while (pages.length < count) {
    pages.push(withParameter(feed, `limit=24${cursor ? `&cursor=${cursor}` : ''}`))
    await follow(24)
  }
  return pages
}
