// In charge of noticing what the database cannot do just now. While it is away, every request gets a 503 at once; while it takes no
// writes, those get a 503 and reads go on. Each state is logged when it begins and when it is over.
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { Clock } from './clock.ts'
import { isAway, isUnavailable, sqlState } from './db.ts'
import { diskFull } from './disk-room.ts'
import type { Log } from './log.ts'
import { wordsOf } from './operator-error.ts'

export type Availability = {
  /** Throws `database_unavailable` while the database is known to be away. */
  require(): void
  /** Examines an error. If the error shows that the database is away, probes the database until it responds again. */
  report(error: unknown): void
  /** To be called when a request has written something. */
  wrote(): void
  stop(): void
}

const probeEveryMs = 250

/**
 * A write that works within this time after a refused one does not end the state “takes no writes”: on a full disk some writes
 * find room in what is there, and the log would say the one and the other many times in a second.
 */
const calmMs = 10_000

export function watchAvailability(ping: () => Promise<void>, log: Log, clock: Clock): Availability {
  let away = false
  let stopped = false
  let timer: NodeJS.Timeout | null = null
  /** When a write was refused last; null while the database takes writes. */
  let refusedAt: number | null = null

  const probe = async (): Promise<void> => {
    try {
      await ping()
      away = false
      log.info('the database is back')
    } catch {
      if (!stopped) timer = setTimeout(() => void probe(), probeEveryMs)
    }
  }
  const noteRefused = (error: unknown): void => {
    // The log needs no stack: what is wrong is the database's disk or settings, whichever statement met it.
    if (refusedAt === null) log.error({ why: wordsOf(error) }, 'the database takes no writes; answering them 503')
    refusedAt = clock.now()
  }

  return {
    require() {
      if (away) throw unavailable()
    },
    report(error) {
      if (away || !isUnavailable(error)) return
      if (takesNoWrites(error)) return noteRefused(error)
      if (!isAway(error)) return log.error({ err: error }, 'the database failed in a request, which got a 503')
      away = true
      log.error({ err: error }, 'the database is away; answering 503 until it is back')
      void probe()
    },
    wrote() {
      if (refusedAt === null || clock.now() - refusedAt < calmMs) return
      refusedAt = null
      log.info('the database takes writes again')
    },
    stop() {
      stopped = true
      if (timer) clearTimeout(timer)
    },
  }
}

/** PostgreSQL's SQLSTATE `read_only_sql_transaction`. */
const onlyReads = '25006'

const takesNoWrites = (error: unknown): boolean => [diskFull, onlyReads].includes(sqlState(error) ?? '')

/** Returns the refusal of a request that could not use the database, because of this error if it is known. */
export const unavailable = (error?: unknown) => new Refusal('database_unavailable', wordsFor(sqlState(error)))

function wordsFor(state: string | null): string {
  switch (state) {
    case diskFull:
      return 'The disk of the database is full: nothing is written until an operator makes room on it. Reading goes on.'
    case onlyReads:
      return 'The database only reads just now: nothing is written until it takes writes again. Reading goes on.'
    default:
      return 'The database cannot be reached just now. Try again shortly.'
  }
}
