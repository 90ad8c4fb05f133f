// In charge of how a connection of the pool sends SQL statements: the connection adds names to statements that stay prepared, sends
// the statements of one turn of the event loop together, and closes itself if the server stops responding.
import pg from 'pg'
import { keptName } from './db.ts'

/** Changes how a client sends SQL. `giveUpMs` is the longest time without a response to a statement; null means no limit. */
export function prepareClient(client: pg.Client, giveUpMs: number | null): void {
  const watch = giveUpMs === null ? null : watchOver(client, giveUpMs)
  const write = writingAtOnce(client)
  const query = (first: unknown, ...rest: unknown[]): unknown => {
    watch?.()
    write()
    // Kysely passes only a text and values to its driver. If the statement should stay prepared, the text contains its name.
    const name = typeof first === 'string' ? keptName(first) : null
    const statement = name === null ? [first, ...rest] : [{ name, text: first, values: rest[0] }]
    if (isCalledBack(first, rest)) return Reflect.apply(pg.Client.prototype.query, client, statement)
    // A callback is passed, because a promise made by the driver would keep the result in memory until the next full garbage
    // collection, as the driver's timer would (see `watchOver`).
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, result: unknown): void => (error ? reject(error) : resolve(result))
      Reflect.apply(pg.Client.prototype.query, client, [...statement, done])
    })
  }
  Object.assign(client, { query })
}

/** Sends all statements of one turn of the event loop in one packet, instead of one packet for each statement. */
function writingAtOnce({ connection }: pg.Client): () => void {
  let isCorked = false
  return () => {
    if (isCorked) return
    isCorked = true
    const { stream } = connection
    stream.cork()
    const send = (): void => {
      isCorked = false
      stream.uncork()
    }
    // Waits two ticks, so that the packet includes a commit by `commitBehind`, which is sent one tick after the statements.
    process.nextTick(() => process.nextTick(send))
  }
}

/**
 * Closes the connection if a response is overdue; then all waiting statements fail. The connection has one timer, because the
 * driver's `query_timeout` makes a timer for each statement, and such a timer keeps the statement's result in memory (about 5 KB
 * each) until the next full garbage collection.
 */
function watchOver(client: pg.Client, giveUpMs: number): () => void {
  const { connection } = client
  let isWaiting = false
  /** When the current statement was sent, or when the previous one ended if that was later. */
  let since = 0
  let timer: NodeJS.Timeout | null = null
  const look = (): void => {
    timer = null
    if (!isWaiting) return
    const left = since + giveUpMs - performance.now()
    if (left <= 0) connection.stream.destroy(new Error('Query read timeout'))
    else timer = setTimeout(look, Math.ceil(left)).unref()
  }
  connection.on('readyForQuery', () => {
    since = performance.now()
  })
  client.on('drain', () => {
    isWaiting = false
  })
  client.once('end', () => {
    isWaiting = false
    if (timer) clearTimeout(timer)
  })
  return () => {
    if (isWaiting) return
    isWaiting = true
    since = performance.now()
    timer ??= setTimeout(look, giveUpMs).unref()
  }
}

const isCalledBack = (first: unknown, rest: readonly unknown[]): boolean =>
  typeof rest.at(-1) === 'function' || (typeof first === 'object' && first !== null && 'submit' in first)
