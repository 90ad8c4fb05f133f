// In charge of what every connection of the pool does with the statements it is asked for: names those that are kept prepared,
// writes what is asked for at once in one piece, and gives up on a server that does not answer.
import pg from 'pg'
import { keptName } from './db.ts'

/** `giveUpMs`: how long nothing may come while answers are waited for; null: as long as it takes. */
export function prepareClient(client: pg.Client, giveUpMs: number | null): void {
  const watch = giveUpMs === null ? null : watchOver(client, giveUpMs)
  const write = writingAtOnce(client)
  const query = (first: unknown, ...rest: unknown[]): unknown => {
    watch?.()
    write()
    // Kysely hands its driver a text and values, never a name: a statement that is to be kept says so in its text.
    const name = typeof first === 'string' ? keptName(first) : null
    const statement = name === null ? [first, ...rest] : [{ name, text: first, values: rest[0] }]
    if (isCalledBack(first, rest)) return Reflect.apply(pg.Client.prototype.query, client, statement)
    // The promise that the driver would make keeps what the statement gave just as its timer does.
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, result: unknown): void => (error ? reject(error) : resolve(result))
      Reflect.apply(pg.Client.prototype.query, client, [...statement, done])
    })
  }
  Object.assign(client, { query })
}

/** Statements that are asked for in one turn of the event loop go out in one packet, not in one each. */
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
    // After the commit that is asked for behind them (`commitBehind`), which has waited for them by one tick.
    process.nextTick(() => process.nextTick(send))
  }
}

/**
 * Breaks the connection off where an answer is overdue; all that waits for it fails then. One timer for the connection: the
 * `query_timeout` of the driver makes one for each statement, which keeps what the statement gave from being collected with the
 * young objects (5 KB for each statement, until the next collection of everything).
 */
function watchOver(client: pg.Client, giveUpMs: number): () => void {
  const { connection } = client
  let isWaiting = false
  /** When the statement that is executed now was sent, or the one before it was over. */
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
