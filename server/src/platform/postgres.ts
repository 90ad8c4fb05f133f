// In charge of using PostgreSQL as the database: pools connections, parses column values, and reconnects to get notifications.
import { type DatabaseConnection, type Driver, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DatabaseDriver } from './db.ts'
import type { Log } from './log.ts'
import { prepareClient } from './postgres-client.ts'
import { createLanes } from './postgres-lanes.ts'
import { type Report, reporter } from './repeated-failures.ts'
import { setSettings } from './session-settings.ts'
import { parsers } from './types.ts'

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : (parsers[oid] ?? pg.types.getTypeParser(oid, 'text')),
}

/** The server aborts an SQL statement that takes longer than this, because such a statement is a bug or an attack. */
const defaultStatementTimeoutMs = 30_000
/** The client waits this many ms longer than the statement timeout. After that, the server or the network must be hanging. */
const graceMs = 2_000

/** If a connection has no response to this query within two seconds, the connection is closed. */
const pingQuery = { text: 'select 1', query_timeout: 2_000 }

/** How often the connection for notifications is checked, in ms. */
const defaultLookMs = 15_000

/**
 * `statementTimeoutMs` is the longest time for one statement; 0 means no limit, which migrations need. `lookMs` is how often the
 * connection for notifications is checked.
 */
export type PostgresOptions = { connections: number; log: Log; statementTimeoutMs?: number; lookMs?: number }

export function postgresEngine(url: string, options: PostgresOptions): DatabaseDriver {
  const { connections, log, statementTimeoutMs = defaultStatementTimeoutMs, lookMs = defaultLookMs } = options
  const connection = {
    connectionString: url,
    types,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'atelier',
  }
  const giveUpMs = statementTimeoutMs > 0 ? statementTimeoutMs + graceMs : null
  const settings = {
    ...{ ...sessionSettings, statement_timeout: statementTimeoutMs },
    idle_in_transaction_session_timeout: statementTimeoutMs,
  }
  const onConnect = (client: pg.ClientBase) => {
    if (!(client instanceof pg.Client)) throw new Error('The pool made a connection of another kind.')
    prepareClient(client, giveUpMs)
    return setSettings(client, settings)
  }
  const pool = new pg.Pool({ ...connection, max: connections, pipeline: true, onConnect })
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  // The pool has no error listener on a connection in use, and an `error` event without a listener would end the process. The
  // caller still gets the error, because the statement in progress fails too.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
  })
  const inLane = createLanes(pool, connections)
  const listener = new Listener(
    { ...connection, ...(giveUpMs === null ? {} : { query_timeout: giveUpMs }) },
    log,
    lookMs,
  )
  const dialect = new EagerDialect({ pool })

  return {
    kind: 'postgres',
    dialect,
    commitAhead: (connection) => dialect.commitAhead(connection),
    async read(statement, values, timeoutMs) {
      const query = {
        text: statement.text,
        values: [...values],
        rowMode: 'array' as const,
        ...(statement.name ? { name: statement.name } : {}),
      }
      const sharing = statement.brief === true ? inLane(query) : null
      if (sharing) return sharing
      if (timeoutMs === undefined) return (await pool.query<unknown[]>(query)).rows
      return bounded(pool, query, { timeoutMs, usualMs: statementTimeoutMs })
    },
    async script(text) {
      const results: unknown = await pool.query<Record<string, unknown>>(text) // one result for each SQL statement
      return [results].flat().flatMap((result) => (hasRows(result) ? result.rows : []))
    },
    listen: (channel, onNotice, onGap) => listener.listen(channel, { onNotice, onGap }),
    listening: () => listener.up,
    ping: async () => {
      await pool.query(pingQuery)
    },
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    copyFolder: null,
    checkpoint: null,
    close: async () => {
      await listener.close()
      // Kysely ends the pool only if it was used through Kysely. A connection that is left open keeps the process for another 10 s.
      if (!pool.ending) await pool.end()
    },
  }
}

/**
 * Sends the `begin` of a transaction without waiting for the response, so that `begin` shares a round trip with the first
 * statements; `commitAhead` does the same for the commit and the last statements. PostgreSQL executes all of these in order. This
 * is safe: `begin` fails only if the connection fails, and then all later statements fail too; and a commit after a failed
 * statement commits nothing.
 */
class EagerDialect extends PostgresDialect {
  readonly #begun = new WeakMap<DatabaseConnection, Promise<void>>()
  readonly #committed = new WeakMap<DatabaseConnection, Promise<void>>()
  #commit: Driver['commitTransaction'] | null = null

  override createDriver(): Driver {
    const driver = super.createDriver()
    const begin = driver.beginTransaction.bind(driver)
    this.#commit = driver.commitTransaction.bind(driver)
    driver.beginTransaction = async (connection, settings) => {
      this.#committed.delete(connection)
      const sent = begin(connection, settings)
      sent.catch(() => undefined) // the commit awaits `sent` and throws its error
      this.#begun.set(connection, sent)
    }
    driver.commitTransaction = async (connection) => {
      await this.#begun.get(connection)
      await (this.#committed.get(connection) ?? this.commitAhead(connection))
    }
    return driver
  }

  async commitAhead(connection: DatabaseConnection): Promise<void> {
    const sent = this.#commit?.(connection)
    sent?.catch(() => undefined)
    if (sent) this.#committed.set(connection, sent)
    await sent
  }
}

const hasRows = (result: unknown): result is { rows: Record<string, unknown>[] } =>
  typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows)

/**
 * Settings that a role, a database or a server may have otherwise. Times are in UTC and in the format that we read. JIT compilation is
 * off, because compiling takes longer than running these short SQL statements. `statement_timeout` bounds waits for locks too.
 */
const sessionSettings = {
  timezone: 'UTC',
  datestyle: 'ISO',
  standard_conforming_strings: 'on',
  lock_timeout: 0,
  jit: 'off',
}

type Bound = { timeoutMs: number; usualMs: number }

/** Runs a query that the server aborts after `timeoutMs` (SQLSTATE 57014). */
async function bounded(pool: pg.Pool, query: pg.QueryArrayConfig, { timeoutMs, usualMs }: Bound): Promise<unknown[][]> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(`set statement_timeout = ${Math.ceil(timeoutMs)}`)
    return (await client.query<unknown[]>(query)).rows
  } finally {
    await client.query(`set statement_timeout = ${usualMs}`).catch((error: Error) => {
      broken = error
    })
    client.release(broken)
  }
}

type Handlers = { onNotice(payload: string): void; onGap: (() => void) | undefined }

/**
 * A connection for `listen`, which is opened again after a loss. Notifications in between are lost, so code that listens must not
 * rely on them alone: it polls as well, or has an `onGap`, or checks `listening`.
 */
class Listener {
  readonly #config: pg.ClientConfig
  readonly #log: Log
  readonly #lookMs: number
  readonly #report: Report
  readonly #channels = new Map<string, Handlers>()
  #client: pg.Client | null = null
  /** Until the next attempt to connect, or the next look at the connection. */
  #timer: NodeJS.Timeout | null = null
  #closed = false
  #wasLost = false
  up = false

  /** `lookMs`: how often a statement is sent, because a connection that only listens never notices that its server is gone. */
  constructor(config: pg.ClientConfig, log: Log, lookMs: number) {
    this.#config = config
    this.#log = log
    this.#lookMs = lookMs
    this.#report = reporter(log, {
      level: 'warn',
      failed: 'cannot listen for notifications; trying again',
      again: 'listens for notifications again',
    })
  }

  async listen(channel: string, handlers: Handlers): Promise<void> {
    this.#channels.set(channel, handlers)
    if (!this.#client) await this.#connect()
    else await this.#client.query(`listen ${channel}`)
  }

  async #connect(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    const client = new pg.Client(this.#config)
    this.#client = client
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ channel, payload }) => this.#channels.get(channel)?.onNotice(payload ?? ''))
    try {
      await client.connect()
      await setSettings(client, sessionSettings)
      for (const channel of this.#channels.keys()) await client.query(`listen ${channel}`)
      if (this.#client !== client) return
      this.up = true
      this.#report(null)
      this.#timer = setTimeout(() => void this.#look(client), this.#lookMs).unref()
      if (this.#wasLost) for (const { onGap } of this.#channels.values()) onGap?.()
    } catch (error) {
      this.#report(error)
      this.#lost(client)
    }
  }

  async #look(client: pg.Client): Promise<void> {
    try {
      await client.query(pingQuery)
      if (this.#client === client) this.#timer = setTimeout(() => void this.#look(client), this.#lookMs).unref()
    } catch (error) {
      if (this.#client === client) this.#log.warn({ err: error }, 'the connection for notifications does not answer')
      this.#lost(client)
    }
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client || this.#closed) return
    this.up = false
    this.#wasLost = true
    this.#client = null
    client.end().catch(() => undefined)
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#connect(), 500)
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#client?.end().catch(() => undefined)
  }
}
