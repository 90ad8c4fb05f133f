// In charge of notifying every process of committed changes. Only ids are sent; so watchers have to read the records themselves.
import { randomUUID } from 'node:crypto'
import { type Change, changeKinds } from '@atelier/contract/wire/events.ts'
import { sql } from 'kysely'
import type { Database } from './db.ts'
import type { Log } from './log.ts'

/** `changed` is called with changes; `missed` is called if some changes may have been lost. */
type Watcher = { changed(changes: readonly Change[]): void; missed(): void }

export type Changes = {
  /**
   * Adds a watcher. Each process announces the changes of one record at most 5 times a second, up to 200 ms after a commit. The
   * returned function removes the watcher.
   */
  watch(watcher: Watcher): () => void
  start(): Promise<void>
  stop(): void
}

/** How long changes are collected before watchers and the other processes are notified of all of them together, in ms. */
const defaultWindowMs = 200
/** The highest number of changes in one notification, because PostgreSQL limits a notification to 8,000 bytes. */
const perNotice = 120
const channel = 'atelier_changes'

export function createChanges(database: Database, log: Log, windowMs = defaultWindowMs): Changes {
  const own = randomUUID().slice(0, 8)
  const pending = new Map<string, Change>()
  const watchers = new Set<Watcher>()
  let timer: NodeJS.Timeout | null = null
  let wasListening = true

  const flush = (): void => {
    timer = null
    const changes = [...pending.values()]
    pending.clear()
    for (const { changed } of watchers) changed(changes)
    for (let from = 0; from < changes.length; from += perNotice) {
      const text = [own, ...changes.slice(from, from + perNotice).map(({ kind, id }) => `${kind}/${id}`)].join(' ')
      // Sent after the transactions of the changes: a commit with notifications takes a lock for which all other such commits wait.
      sql`select pg_notify(${channel}, ${text})`
        .execute(database.main)
        .catch((error: unknown) => log.debug({ err: error }, 'other processes were not told of changes'))
    }
  }
  const receive = (notice: string): void => {
    const [sender, ...words] = notice.split(' ')
    const changes = sender === own ? [] : words.flatMap(parseChange)
    if (changes.length > 0) for (const { changed } of watchers) changed(changes)
  }
  /** When a lost connection has been restored, notifies watchers that they may have missed changes. */
  const lookAtConnection = (): void => {
    const listens = database.listening()
    if (listens && !wasListening) for (const { missed } of watchers) missed()
    wasListening = listens
  }
  const ignore = database.onChanged((changes) => {
    for (const change of changes) pending.set(`${change.kind}/${change.id}`, change)
    timer ??= setTimeout(flush, windowMs).unref()
  })
  const look = setInterval(lookAtConnection, 1000).unref()

  return {
    watch: (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    start: () => database.listen(channel, receive),
    stop: () => {
      ignore()
      clearInterval(look)
      if (timer) clearTimeout(timer)
      watchers.clear()
    },
  }
}

function parseChange(word: string): Change[] {
  const [name, id] = word.split('/')
  const kind = changeKinds.find((known) => known === name)
  return kind && id ? [{ kind, id }] : []
}
