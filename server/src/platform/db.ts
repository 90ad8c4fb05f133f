// In charge of one interface for two databases: PostgreSQL by URL, or PGlite embedded in this process.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { Change, ChangeKind } from '@atelier/contract/wire/events.ts'
import { type DatabaseConnection, type Dialect, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** A handle to run statements on: the main one, or a transaction. */
export type Db = Kysely<Tables>

/** A statement the server keeps prepared under its name; the same name must always have the same text. */
export type Statement = { name: string | null; text: string }
const keptMark = /^\/\* kept: (\w+) \*\//

/**
 * A prefix for the text of a query-builder statement: PostgreSQL keeps the statement prepared, as planning takes longer than
 * running it. The name must determine the text. The text must list its columns, because the meaning of `*` may change while
 * the statement is prepared.
 */
export const kept = (name: string): string => `/* kept: ${name} */ `

/** The name of a statement to keep prepared; null for others. */
export const keptName = (text: string): string | null => keptMark.exec(text)?.[1] ?? null

/** Column values as the driver returns them: text, number, boolean, parsed JSON, array or null. */
export type Row = readonly unknown[]

export type Database = {
  readonly kind: 'postgres' | 'embedded'
  /** The handle for statements outside a transaction. Using it inside one throws, on both databases. */
  readonly main: Db
  /** Runs one transaction; after a deadlock, a serialisation failure or `Retry` it runs again, a limited number of times. */
  tx<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Runs a statement outside a transaction, without the query builder: for frequent queries. Rows are arrays. */
  read(statement: Statement, values: readonly unknown[], timeoutMs?: number): Promise<Row[]>
  /** Runs statements separated by semicolons on one connection, outside a transaction; returns all their rows. */
  script(text: string): Promise<Record<string, unknown>[]>
  /** Calls a listener with the records that committed writes have changed (`tellChanged`). The returned function ends it. */
  onChanged(listener: (changes: readonly Change[]) => void): () => void
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>
  /** Whether notifications arrive: false while the connection for them is lost. */
  listening(): boolean
  ping(): Promise<void>
  /** Numbers of connections in the pool: all, idle ones, and callers that wait for one. */
  connections(): { total: number; idle: number; waiting: number }
  /**
   * Copies the embedded database's folder, as it is at one moment, to a new folder; queries wait meanwhile. Null if there is
   * no folder: PostgreSQL, or in memory.
   */
  readonly copyFolder: ((to: string) => Promise<void>) | null
  /**
   * Writes the embedded database's log to its data files if the log has become long, so that requests need not wait for the
   * disk. Null if the database does so itself (PostgreSQL) or has no disk.
   */
  readonly checkpoint: (() => Promise<void>) | null
  close(): Promise<void>
}

/** The members that differ between the engines; the rest of the handle is the same for both. */
export type DatabaseDriver = Pick<
  Database,
  'kind' | 'read' | 'script' | 'listen' | 'listening' | 'ping' | 'connections' | 'copyFolder' | 'checkpoint' | 'close'
> & {
  dialect: Dialect
  /** Sends the commit of the transaction on this connection early; null if that saves no time. */
  commitAhead: ((connection: DatabaseConnection) => Promise<void>) | null
}

/** Thrown inside a transaction to run it again from the start. */
export class Retry extends Error {}

const effectsOf = new WeakMap<Db, (() => void)[]>()

/** Runs a function in this process after the transaction has committed; not if it is rolled back. */
export function afterCommit(tx: Db, effect: () => void): void {
  effectsOf.get(tx)?.push(effect)
}

type Telling = (changes: readonly Change[]) => void
const tellingOf = new WeakMap<Db, Telling>()

/**
 * Notifies watchers (`GET /events`) that the records with these ids changed: once the transaction has committed, or at once
 * for a write on the main handle. Called only by the functions that write the records.
 */
export function tellChanged(db: Db, kind: ChangeKind, ids: string | readonly string[]): void {
  const tell = tellingOf.get(db)
  if (!tell) throw new Error(`A ${kind} was written by another handle than the database's own or its transactions.`)
  tell([ids].flat().map((id) => ({ kind, id })))
}

/** Settings of the service that statements depend on: shared by a main handle and all of its transactions. */
type Window = { seconds: number | null }
const windowOf = new WeakMap<Db, Window>()

/** How long deleted records can be restored. Set by the service at start, before it serves requests or runs. */
export function setRetention(database: Database, seconds: number): void {
  const window = windowOf.get(database.main)
  if (!window) throw new Error('The retention window belongs to the main handle of a database.')
  window.seconds = seconds
}

/** The retention window in seconds, for the statements of a handle. */
export function retentionOf(db: Db): number {
  const seconds = windowOf.get(db)?.seconds
  if (seconds === undefined || seconds === null) throw new Error('The retention window of this database is not set.')
  return seconds
}

/** Runs several reads in one snapshot; inside a transaction they use its snapshot. */
export const inSnapshot = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.isTransaction
    ? work(db)
    : db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((tx) => work(inWindowOf(db, tx)))

function inWindowOf(db: Db, tx: Db): Db {
  const window = windowOf.get(db)
  if (window) windowOf.set(tx, window)
  return tx
}

const attempts = 12

/**
 * On the embedded database's only connection, a query on the main handle inside a transaction would wait for itself for
 * ever; on PostgreSQL it would silently read another snapshot. Both are bugs, so both throw. All uses of the main handle go
 * through its executor, including its own transactions; a transaction has a separate executor.
 */
function guard(main: Db) {
  const inTransaction = new AsyncLocalStorage<true>()
  const refuseInside = (): void => {
    if (!inTransaction.getStore()) return
    throw new Error('A query used the main handle inside a transaction; pass the transaction to every nested call.')
  }
  const executor = main.getExecutor()
  const provide: typeof executor.provideConnection = executor.provideConnection.bind(executor)
  executor.provideConnection = async (consumer, options) => {
    refuseInside()
    return provide(consumer, options)
  }
  return { refuseInside, inside: <T>(work: () => Promise<T>): Promise<T> => inTransaction.run(true, work) }
}

/**
 * Makes a transaction send each statement at once. The query builder would wait for the previous one; PostgreSQL executes
 * them in order, so that independent statements together cost one round trip.
 */
function sendingAtOnce<T>(tx: Db, commitAhead: DatabaseDriver['commitAhead'], work: () => Promise<T>): Promise<T> {
  const executor = tx.getExecutor()
  return executor.provideConnection((connection) => {
    executor.provideConnection = (consumer) => consumer(connection)
    commitOf.set(tx, () => {
      executor.provideConnection = () =>
        Promise.reject(new Error('A statement was asked for after the commit of its transaction.'))
      return commitAhead === null ? Promise.resolve() : commitAhead(connection)
    })
    return work()
  })
}

const commitOf = new WeakMap<Db, () => Promise<void>>()

/**
 * Sends the commit of a transaction directly after the statements sent so far, so that they share a round trip. Only for
 * transactions whose outcome does not depend on the results: if a statement fails, nothing is committed; if only the
 * caller's code fails, everything is. Statements sent after the commit fail.
 */
export async function commitBehind(tx: Db): Promise<void> {
  // After one tick, all statements of this turn of the event loop have been sent.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  await commitOf.get(tx)?.()
}

/**
 * Waits for statements of a transaction that were sent together; returns their results. Throws the first error: the statements
 * after it fail too, because the transaction is aborted.
 */
export async function together<const T extends readonly unknown[]>(
  sent: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const failures = (await Promise.allSettled(sent)).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (failures.length > 0) throw failures.find((reason) => sqlState(reason) !== '25P02') ?? failures[0]
  return Promise.all(sent)
}

export function openDatabase(engine: DatabaseDriver): Database {
  const main = new Kysely<Tables>({ dialect: engine.dialect })
  const { refuseInside, inside } = guard(main)
  const listeners = new Set<Telling>()
  const handOn: Telling = (changes) => {
    if (changes.length > 0) for (const listener of listeners) listener(changes)
  }
  tellingOf.set(main, handOn)
  windowOf.set(main, { seconds: null })
  const once = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => {
    const effects: (() => void)[] = []
    const told: Change[] = []
    const result = await main.transaction().execute((tx) => {
      effectsOf.set(tx, effects)
      tellingOf.set(tx, (changes) => told.push(...changes))
      return sendingAtOnce(tx, engine.commitAhead, () => inside(() => work(inWindowOf(main, tx))))
    })
    for (const effect of effects) effect()
    handOn(told)
    return result
  }

  return {
    kind: engine.kind,
    main,
    async tx(work) {
      refuseInside()
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(work)
        } catch (error) {
          if (!isRetryable(error)) throw error
          if (attempt === attempts) {
            throw new Refusal('overloaded', 'Too many requests are writing the same records; try again in a moment.')
          }
          await wait(Math.random() * Math.min(5 * 2 ** attempt, 200))
        }
      }
    },
    async read(statement, values, timeoutMs) {
      refuseInside()
      return engine.read(statement, values, timeoutMs)
    },
    async script(text) {
      refuseInside()
      return engine.script(text)
    },
    onChanged: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    listen: engine.listen,
    listening: engine.listening,
    ping: engine.ping,
    connections: engine.connections,
    copyFolder: engine.copyFolder,
    checkpoint: engine.checkpoint,
    close: async () => {
      await main.destroy()
      await engine.close()
    },
  }
}

/** The SQLSTATE of a database error, on either driver; null for anything else. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/** Whether an error is the violation of this unique constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    sqlState(error) === '23505' && error instanceof Error && 'constraint' in error && error.constraint === constraint
  )
}

function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  return error instanceof Retry || state === '40001' || state === '40P01'
}

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOENT',
])
const connectionMessages =
  /Connection terminated|Query read timeout|Client has encountered a connection error|not queryable|Cannot use a pool after|PGlite is closed/

/**
 * Whether an error means the database cannot serve now (rather than that our SQL is wrong): lost connections,
 * shutdown and start-up (57P0x), a read-only standby (25006), out of disk, memory or connections (53xxx), I/O (58xxx).
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || isHangUp(error)) return false
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  const state = sqlState(error)
  if (state) return /^(08|53|58)|^57P0|^25006$/.test(state)
  const code = 'code' in error ? error.code : undefined
  return (typeof code === 'string' && connectionErrors.has(code)) || connectionMessages.test(error.message)
}

/** Whether an error means that the client disconnected while sending: Node uses the code of any reset connection. */
export const isHangUp = (error: unknown): boolean =>
  error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'

/**
 * Whether an error means that this process or the database is overloaded: a statement timed out, or no connection became
 * free in time.
 */
export function isOverloaded(error: unknown): boolean {
  if (sqlState(error) === '57014') return true
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}
