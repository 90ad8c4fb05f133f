// In charge of a running service for a test file: the service has its own database on the test project's engine and gets requests
// through the real server. Every response except a file's bytes is checked against the contract.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Scope, scopes } from '@atelier/contract/enums.ts'
import type { Route } from '@atelier/contract/routes/route.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { ensureOwner } from '../../src/features/people/owner.ts'
import { insertUser } from '../../src/features/people/store.ts'
import type { NodeType } from '../../src/nodes/node-type.ts'
import { announceAuthChange, insertToken, newToken } from '../../src/platform/auth.ts'
import { type Config, readConfig } from '../../src/platform/config.ts'
import { type Database, isUnavailable, openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { traced } from '../../src/platform/tracing/traced-database.ts'
import { type App, createApp } from '../../src/wiring/app.ts'
import { type FoundFault, findFaults } from '../../src/wiring/kept-texts.ts'
import { documentOf } from './document.ts'
import { pooledEngine } from './embedded-pool.ts'

export type DatabaseKind = 'postgres' | 'embedded'
export const engine: DatabaseKind = process.env.ATELIER_TEST_DB === 'postgres' ? 'postgres' : 'embedded'
/** Whether random tests draw all of their cases on each of the two databases. */
const drawsAll = process.env.ATELIER_TEST_DRAWS === 'all'
/** How many of `count` random cases to draw: half of them on PostgreSQL, a fifth on the embedded database, which is slower. */
export const share = (count: number): number => (drawsAll ? count : count / (engine === 'postgres' ? 2 : 5))

// biome-ignore lint/suspicious/noExplicitAny: a test reads members of responses that the contract check has already validated
export type Body = any
export type Reply = {
  status: number
  headers: Record<string, unknown>
  text: string
  bytes: Buffer
  body: Body
  data: Body
}
export type Ask = {
  token?: string | null
  body?: unknown
  raw?: string | Buffer
  headers?: Record<string, string>
}

/** A service under test. `get`, `post`, … send requests as the owner by default. */
export type Service = {
  app: App
  database: Database
  config: Config
  /** The URL of the service's database; null on the embedded database. */
  url: string | null
  owner: { id: string; token: string }
  /** The clock of the service; a test moves it by setting `offset`, in milliseconds. */
  clock: { now(): number; offset: number }
  ask(method: string, path: string, options?: Ask): Promise<Reply>
  get(path: string, options?: Ask): Promise<Reply>
  post(path: string, body?: unknown, options?: Ask): Promise<Reply>
  patch(path: string, body: unknown, options?: Ask): Promise<Reply>
  del(path: string, options?: Ask): Promise<Reply>
  /** Creates a user with this role, and a token for the user with these scopes (by default all). */
  person(role: 'reader' | 'writer' | 'admin', having?: readonly Scope[]): Promise<{ id: string; token: string }>
  integration(having: readonly Scope[]): Promise<{ token: string }>
  /**
   * Another service on the same database, in place of a second process, optionally with other node types. The embedded database
   * allows only one process, so there both services share the database handle.
   */
  another(nodeTypes?: readonly NodeType[]): Promise<Service>
  /** Runs an SQL statement and returns its rows, for data that no route returns. */
  rows<T = Body>(text: string, values?: unknown[]): Promise<T[]>
  close(): Promise<void>
}

/** The web app that the service serves, and how many ms it collects changes of records before it sends them to watchers. */
type More = Pick<Parameters<typeof createApp>[0], 'web' | 'pace' | 'changesWindowMs' | 'operatorToken' | 'leavingMs'>

export type Opened = { database: Database; url: string | null; drop(): Promise<void> }

/** A new, migrated database of the engine under test; `cluster`: the URL of a cluster to use instead of the project's. */
export async function openTestDatabase(cluster?: string): Promise<Opened> {
  const log = createLog('silent')
  if (engine === 'embedded') {
    return { database: openDatabase(traced(await pooledEngine())), url: null, drop: async () => undefined }
  }
  const { url, drop } = await createDatabase(cluster, cluster ? 'template1' : inject('postgresTemplate'))
  const database = openDatabase(traced(postgresEngine(url, { connections: 10, log })))
  if (cluster) await migrate(database)
  return { database, url, drop }
}

/** Creates a PostgreSQL database as a copy of `template`; the default one is empty. */
export async function createDatabase(
  cluster = inject('postgresUrl'),
  template = 'template1',
): Promise<{ url: string; drop(): Promise<void> }> {
  const url = new URL(cluster)
  const name = `test_${randomBytes(6).toString('hex')}`
  await tellServer(cluster, `create database ${name} template ${template}`)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => tellServer(cluster, `drop database if exists ${name} with (force)`) }
}

async function tellServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Runs SQL statements on a database, for data that no route returns. */
export const rowsOf =
  (database: Database) =>
  async <T = Body>(text: string, values: unknown[] = []): Promise<T[]> => {
    const { rows } = await database.main.executeQuery<T>(CompiledQuery.raw(text, values))
    return rows
  }

const endings = new WeakMap<Database, (() => Promise<void>)[]>()
/** Has the service of a database call a function when it closes, before the database is closed. */
export const beforeClose = (database: Database, end: () => Promise<void>): void => {
  endings.set(database, [...(endings.get(database) ?? []), end])
}

export async function startService(
  environment: Record<string, string> = {},
  cluster?: string,
  moreNodeTypes: readonly NodeType[] = [],
  more: More = {},
): Promise<Service> {
  const opened = await openTestDatabase(cluster)
  const first = await ensureOwner(opened.database, null)
  if (!first) throw new Error('The test database was not empty.')
  return startServiceOn(opened, environment, { id: first.ownerId, token: first.token }, moreNodeTypes, more)
}

/** Starts a service whose only connection to its PostgreSQL database is also that of the test: `service.rows` sees its state. */
export async function startOnOneConnection(): Promise<Service> {
  const { url, drop } = await createDatabase()
  const database = openDatabase(postgresEngine(url, { connections: 1, log: createLog('silent') }))
  await migrate(database)
  const owner = await ensureOwner(database, null)
  if (!owner) throw new Error('The test database was not empty.')
  return startServiceOn({ database, url, drop }, {}, { id: owner.ownerId, token: owner.token })
}

/** Starts a service on a database that already has its owner; closing the service also drops the database. */
export async function startServiceOn(
  opened: Opened,
  environment: Record<string, string>,
  owner: Service['owner'],
  moreNodeTypes: readonly NodeType[] = [],
  more: More = {},
): Promise<Service> {
  const data = await mkdtemp(path.join(tmpdir(), 'atelier-data-'))
  const files = environment.ATELIER_FILES ?? process.env.ATELIER_TEST_FILES ?? path.join(data, 'files')
  const config = readConfig({
    ATELIER_RATE_LIMIT: '0',
    ATELIER_ADDRESS_RATE_LIMIT: '0',
    LOG_LEVEL: 'silent',
    ATELIER_C2PA: 'false',
    ATELIER_DATA_DIR: data,
    ATELIER_FILES: files,
    ...environment,
  })
  const drop = async (): Promise<void> => {
    await opened.drop()
    for (const folder of [files, data]) await rm(folder, { recursive: true, force: true })
  }
  return serviceOn({ ...opened, drop }, config, owner, moreNodeTypes, more)
}

/** Times in seconds, shorter than in production, so that tests do not wait long for a worker. */
const timing = {
  heartbeatSeconds: 0.1,
  lostAfterSeconds: 2,
  pollSeconds: 0.2,
  cancelAfterSeconds: 2,
  resendSeconds: 0.3,
}

async function serviceOn(
  { database, url, drop }: Opened,
  config: Config,
  owner: Service['owner'],
  moreNodeTypes: readonly NodeType[],
  more: More,
): Promise<Service> {
  const clock = { offset: 0, now: () => Date.now() + clock.offset }
  const log = createLog(config.logLevel)
  const app = await createApp({ config, database, log, clock, engineOptions: { timing }, moreNodeTypes, ...more })

  const ask = async (method: string, path: string, options: Ask = {}): Promise<Reply> => {
    const token = options.token === undefined ? owner.token : options.token
    const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const answer = await app.server.inject({
      method: method as 'GET', // light-my-request types only some methods; tests also send others
      url: path,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    const { statusCode: status, headers, payload: text, rawPayload: bytes } = answer
    const type = `${headers['content-type'] ?? ''}`
    const isFile = [200, 206].includes(status) && routeOf(method, path)?.framing === 'file'
    const body: Body = !isFile && /json/.test(type) && text !== '' ? JSON.parse(text) : null
    if (!isFile) documentOf(config.vocabulary).check({ method, path, sent: options.body ?? null, status, type, body })
    return { status, headers, text, bytes, body, data: body?.data }
  }
  const tokenFor = async (userId: string | null, having: readonly Scope[]): Promise<string> => {
    const token = newToken()
    await database.tx(async (tx) => {
      await insertToken(tx, { name: 'Test', token, scopes: having, userId, expiresAt: null })
      await announceAuthChange(tx)
    })
    return token
  }
  return {
    app,
    database,
    config,
    url,
    owner,
    clock,
    ask,
    get: (path, options) => ask('GET', path, options),
    post: (path, body, options) => ask('POST', path, { ...options, body }),
    patch: (path, body, options) => ask('PATCH', path, { ...options, body }),
    del: (path, options) => ask('DELETE', path, options),
    async person(role, having = scopes) {
      const id = await database.tx((tx) => insertUser(tx, { name: `A ${role}`, email: null, role }))
      return { id, token: await tokenFor(id, having) }
    },
    integration: async (having) => ({ token: await tokenFor(null, having) }),
    async another(nodeTypes = moreNodeTypes) {
      const log = createLog('silent')
      const handle = url === null ? shared(database) : openDatabase(postgresEngine(url, { connections: 10, log }))
      return serviceOn({ database: handle, url, drop: async () => undefined }, config, owner, nodeTypes, more)
    },
    rows: rowsOf(database),
    async close() {
      const faults = await keptFaults(database)
      for (const end of endings.get(database) ?? []) await end()
      await app.stop()
      await drop()
      if (faults.length > 0) throw new Error(`Kept texts are not what their rows say: ${JSON.stringify(faults)}`)
    },
  }
}

/** Finds stored texts (`keptTexts`) that differ from what their rows would produce now; none if the database is unreachable. */
const keptFaults = (database: Database): Promise<FoundFault[]> =>
  findFaults(database).catch((error: unknown) => {
    if (isUnavailable(error)) return []
    throw error
  })

/** The handle of an additional service: it does not close the database or report changes, since the first service does both. */
export const shared = (database: Database): Database => ({
  ...database,
  onChanged: () => () => undefined,
  close: async () => undefined,
})

function routeOf(method: string, path: string): Route | undefined {
  const pathname = path.split('?')[0] ?? ''
  return Object.values(routes).find((known) => known.method === method && matches(known.path, pathname))
}

/** A literal path takes precedence over a pattern with parameters: `board` in `/tasks/board` is not a task's id. */
function matches(pattern: string, pathname: string): boolean {
  const literal = Object.values(routes).some((route) => route.path === pathname)
  return literal ? pattern === pathname : new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname)
}
