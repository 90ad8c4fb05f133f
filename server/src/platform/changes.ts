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
   * Adds a watcher. Each process announces the changes of one record at most 5 times a second, up to 200 ms after a commit. With
   * `ageMs`, the watcher is first notified of the changes of the last `ageMs` milliseconds. The returned function removes the
   * watcher.
   */
  watch(watcher: Watcher, ageMs?: number): () => void
  start(): Promise<void>
  /** Announces what has been committed and is not announced yet, and ends. */
  stop(): Promise<void>
}

/** How long changes are collected before watchers and the other processes are notified of all of them together, in ms. */
const defaultWindowMs = 200
/** How long after a failed notification of other processes it is tried again, in ms. */
const retryMs = 1_000
/** The highest number of changes in one notification, because PostgreSQL limits a notification to 8,000 bytes. */
const perNotice = 120
const channel = 'atelier_changes'
/** Stands for changes in a notification if the notification of these has failed: whoever receives it may have missed some. */
const missedSome = '*'
/** How long announced changes are kept for watchers that ask for them, in ms, and the highest number of them. */
const keptMs = 30_000
const keptChanges = 2_000

export function createChanges(database: Database, log: Log, windowMs = defaultWindowMs): Changes {
  const own = randomUUID().slice(0, 8)
  const pending = new Map<string, Change>()
  const watchers = new Set<Watcher>()
  let timer: NodeJS.Timeout | null = null
  let othersMissedSome = false
  const recent = createRecent()

  const announce = (changes: readonly Change[]): void => {
    recent.add(changes)
    for (const { changed } of watchers) changed(changes)
  }
  const flush = async (): Promise<void> => {
    timer = null
    const changes = [...pending.values()]
    pending.clear()
    announce(changes)
    const words = [...(othersMissedSome ? [missedSome] : []), ...changes.map(({ kind, id }) => `${kind}/${id}`)]
    othersMissedSome = false
    try {
      for (let from = 0; from < words.length; from += perNotice) {
        const text = [own, ...words.slice(from, from + perNotice)].join(' ')
        // Sent after the transactions of the changes: a commit with notifications takes a lock for which all other such commits wait.
        await sql`select pg_notify(${channel}, ${text})`.execute(database.main)
      }
    } catch (error) {
      log.debug({ err: error }, 'other processes were not told of changes; they are told to read again')
      othersMissedSome = true
      timer ??= setTimeout(flush, retryMs).unref()
    }
  }
  const miss = (): void => {
    recent.forget()
    for (const { missed } of watchers) missed()
  }
  const receive = (notice: string): void => {
    const [sender, ...words] = notice.split(' ')
    if (sender === own) return
    if (words.includes(missedSome)) miss()
    const changes = words.flatMap(parseChange)
    if (changes.length > 0) announce(changes)
  }
  const ignore = database.onChanged((changes) => {
    for (const change of changes) pending.set(`${change.kind}/${change.id}`, change)
    timer ??= setTimeout(flush, windowMs).unref()
  })

  return {
    watch: (watcher, ageMs) => {
      watchers.add(watcher)
      const changes = ageMs === undefined ? [] : database.listening() ? recent.within(ageMs) : null
      if (changes === null) watcher.missed()
      else if (changes.length > 0) watcher.changed(changes)
      return () => watchers.delete(watcher)
    },
    async start() {
      await database.listen(channel, receive, miss)
      // What other processes announced before this is unknown.
      recent.forget()
    },
    async stop() {
      ignore()
      if (timer) clearTimeout(timer)
      await flush()
      if (timer) clearTimeout(timer)
      watchers.clear()
    },
  }
}

/** The changes announced lately, each with the moment of its last announcement. */
function createRecent() {
  /** By kind and id, in the order of the moments. */
  const kept = new Map<string, { change: Change; at: number }>()
  /** All changes announced after this moment are kept. Of earlier ones, some may be unknown. */
  let completeSince = performance.now()
  return {
    add(changes: readonly Change[]): void {
      const now = performance.now()
      for (const change of changes) {
        const name = `${change.kind}/${change.id}`
        kept.delete(name)
        kept.set(name, { change, at: now })
      }
      for (const [name, { at }] of kept) {
        if (kept.size <= keptChanges && at >= now - keptMs) break
        kept.delete(name)
        completeSince = at
      }
    },
    /** Called if changes of other processes may have been missed: `within` then returns null for periods that begin earlier. */
    forget(): void {
      kept.clear()
      completeSince = performance.now()
    },
    /** The changes announced in the last `ageMs` milliseconds; null if some of them may be unknown. */
    within(ageMs: number): Change[] | null {
      const from = performance.now() - ageMs
      if (from <= completeSince) return null
      return [...kept.values()].flatMap(({ change, at }) => (at >= from ? [change] : []))
    },
  }
}

function parseChange(word: string): Change[] {
  const [name, id] = word.split('/')
  const kind = changeKinds.find((known) => known === name)
  return kind && id ? [{ kind, id }] : []
}
