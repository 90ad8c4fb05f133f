// In charge of one interface for two kinds of database: a PostgreSQL server, or PGlite embedded in this process.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { Change, ChangeKind } from '@atelier/contract/wire/events.ts'
import { type DatabaseConnection, type Dialect, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** A handle on which SQL statements run: the main handle of a database, or a transaction. */
export type Db = Kysely<Tables>

/**
 * An SQL statement. If it has a name, PostgreSQL keeps it prepared under that name, which must always stand for the same text; null
 * means that it is not kept prepared. `brief`: PostgreSQL usually takes no more than a millisecond, so more of such statements may be
 * sent over the same connection before it has answered.
 */
export type Statement = { name: string | null; text: string; brief?: boolean }
const keptMark = /^\/\* kept: (\w+) \*\//

/**
 * A prefix for the SQL text of a query-builder statement. PostgreSQL then keeps the statement prepared, which saves the planning of
 * later executions; planning takes longer than executing. One name must always stand for the same text. The text must list its
 * columns, because the meaning of `*` may change while the statement is prepared.
 */
export const kept = (name: string): string => `/* kept: ${name} */ `

/** Returns the name under which a statement has to be kept prepared; null if its text has no prefix from `kept`. */
export const keptName = (text: string): string | null => keptMark.exec(text)?.[1] ?? null

/** The values of a row as the driver returns them: text, number, boolean, parsed JSON, array or null. */
export type Row = readonly unknown[]

export type Database = {
  readonly kind: 'postgres' | 'embedded'
  /** The handle for SQL outside a transaction. Inside a transaction, any use of this handle throws, on both databases. */
  readonly main: Db
  /** Runs a transaction, and runs it again (a limited number of times) after a deadlock, a serialisation failure or `Retry`. */
  tx<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /**
   * Runs a frequent query outside a transaction and without the query builder. Each row is an array of its values. `timeoutMs` can
   * shorten the time after which PostgreSQL aborts the query; the embedded database ignores it.
   */
  read(statement: Statement, values: readonly unknown[], timeoutMs?: number): Promise<Row[]>
  /** Runs SQL statements separated by semicolons, on one connection and outside a transaction; returns the rows of all of them. */
  script(text: string): Promise<Record<string, unknown>[]>
  /** After a commit, calls the listener with the changes reported by `tellChanged`. The returned function removes the listener. */
  onChanged(listener: (changes: readonly Change[]) => void): () => void
  /**
   * Listens on a channel. `onGap` is called each time that the connection for notifications has been lost and is there again:
   * notifications in between are lost, however short that was.
   */
  listen(channel: string, onNotice: (payload: string) => void, onGap?: () => void): Promise<void>
  /** Whether notifications arrive: false while the connection for them is lost. */
  listening(): boolean
  ping(): Promise<void>
  /** How many connections the pool has, how many of them are idle, and how many callers wait for a connection. */
  connections(): { total: number; idle: number; waiting: number }
  /**
   * Copies the embedded database's folder, as it is at one moment, to a new folder; queries wait until the copy is done. Null if
   * the database has no folder, because it is PostgreSQL or in memory.
   */
  readonly copyFolder: ((to: string) => Promise<void>) | null
  /**
   * Makes a checkpoint of the embedded database if its log has become long: the logged changes are written to the data files now,
   * so that no request has to wait for this later. Null if it is not needed: a PostgreSQL server makes checkpoints itself, and a
   * database in memory or with `ATELIER_EMBEDDED_COMMITS=fast` never waits for the disk.
   */
  readonly checkpoint: (() => Promise<void>) | null
  close(): Promise<void>
}

/** The members of `Database` that PostgreSQL and PGlite implement differently, and two more that only `openDatabase` uses. */
export type DatabaseDriver = Pick<
  Database,
  'kind' | 'read' | 'script' | 'listen' | 'listening' | 'ping' | 'connections' | 'copyFolder' | 'checkpoint' | 'close'
> & {
  dialect: Dialect
  /** Sends the commit of this connection's transaction before the results of its statements arrive; null if that saves no time. */
  commitAhead: ((connection: DatabaseConnection) => Promise<void>) | null
}

/** Thrown inside a transaction to run it again from the start. */
export class Retry extends Error {}

const effectsOf = new WeakMap<Db, (() => void)[]>()

/** Runs a function in this process after the transaction has committed; after a rollback, the function is not called. */
export function afterCommit(tx: Db, effect: () => void): void {
  effectsOf.get(tx)?.push(effect)
}

type Telling = (changes: readonly Change[]) => void
const tellingOf = new WeakMap<Db, Telling>()

/**
 * Notifies watchers (`GET /events`) that the records with these ids have changed. They are notified after the commit if `db` is a
 * transaction, and at once if it is the main handle. Called only by the functions that write the records.
 */
export function tellChanged(db: Db, kind: ChangeKind, ids: string | readonly string[]): void {
  const tell = tellingOf.get(db)
  if (!tell) throw new Error(`A ${kind} was written by another handle than the database's own or its transactions.`)
  tell([ids].flat().map((id) => ({ kind, id })))
}

/** For how many seconds deleted records can be restored; null until set. A main handle and its transactions share this object. */
type Window = { seconds: number | null }
const windowOf = new WeakMap<Db, Window>()

/** Sets for how long deleted records can be restored. Called when a process starts, before it serves requests or works on runs. */
export function setRetention(database: Database, seconds: number): void {
  const window = windowOf.get(database.main)
  if (!window) throw new Error('The retention window belongs to the main handle of a database.')
  window.seconds = seconds
}

/** Returns for how many seconds deleted records can be restored; throws if this was not set for the handle's database. */
export function retentionOf(db: Db): number {
  const seconds = windowOf.get(db)?.seconds
  if (seconds === undefined || seconds === null) throw new Error('The retention window of this database is not set.')
  return seconds
}

/** Runs several reads in one snapshot of the database; inside a transaction, the reads use the transaction's snapshot. */
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
 * Makes a query on the main handle throw inside a transaction. On the embedded database, which has only one connection, such a
 * query would wait for ever for the transaction around it; on PostgreSQL it would read another snapshot without any error. Every
 * query on the main handle, and every start of a transaction, goes through the handle's executor, which is changed here; the
 * queries of a transaction go through another executor.
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
 * Makes a transaction send each statement at once; the query builder would wait for the result of the previous statement.
 * PostgreSQL executes statements in order, so several independent statements take one round trip together.
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
 * Sends the commit of a transaction directly after the statements sent so far, so that all share one round trip. Only for
 * transactions that commit whatever the statements return: if a statement fails, nothing is committed; if only the caller's code
 * fails afterwards, everything is committed. Statements that are sent after the commit fail.
 */
export async function commitBehind(tx: Db): Promise<void> {
  // After one tick, all statements of this turn of the event loop have been sent.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  await commitOf.get(tx)?.()
}

/**
 * Waits for statements of a transaction that were sent together, and returns their results. Throws the first error; the later
 * statements fail too, but only because that error has aborted the transaction.
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

/** Returns the SQLSTATE of a database error from either driver; null for any other error. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/** Whether an error means that this unique constraint or unique index was violated. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    sqlState(error) === '23505' && error instanceof Error && 'constraint' in error && error.constraint === constraint
  )
}

function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  return error instanceof Retry || state === '40001' || state === '40P01'
}

const connectionErrors = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN'])
const connectionMessages =
  /Connection terminated|Query read timeout|^timeout expired$|Client has encountered a connection error|not queryable|Cannot use a pool after|PGlite is closed/

/**
 * Whether an error means that the database cannot serve this now, and not that our SQL is wrong. Such errors are lost connections,
 * shutdown and start-up (57P0x), a database that only reads (25006), a transaction that was idle for too long because the process
 * was frozen (25P03), no disk, memory or connections left (53xxx), I/O (58xxx).
 */
export const isUnavailable = (error: unknown): boolean => isTrouble(error, /^(08|53|58)|^57P0|^25006$|^25P03$/)

/** Whether an error means that the database cannot be reached, so that it serves neither reads nor writes. */
export const isAway = (error: unknown): boolean => isTrouble(error, /^08|^57P0|^53300$/)

/** Whether an error has a SQLSTATE that `states` matches, or is one of a connection. */
function isTrouble(error: unknown, states: RegExp): boolean {
  if (!(error instanceof Error) || isHangUp(error)) return false
  if (error instanceof AggregateError) return error.errors.some((one) => isTrouble(one, states))
  const state = sqlState(error)
  if (state) return states.test(state)
  const code = 'code' in error ? error.code : undefined
  // A socket that is not there may come; a file that is not there, such as the certificate that an address names, does not.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
  return (typeof code === 'string' && connectionErrors.has(code)) || connectionMessages.test(error.message)
}

/**
 * Whether an error means that the client disconnected while it sent its request. The code alone is not enough, because Node.js uses
 * it for every reset connection.
 */
export const isHangUp = (error: unknown): boolean =>
  error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'

/**
 * Whether an error means that this process or the database is overloaded: a statement timed out, or the pool had no idle connection
 * in time.
 */
export function isOverloaded(error: unknown): boolean {
  if (sqlState(error) === '57014') return true
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}
