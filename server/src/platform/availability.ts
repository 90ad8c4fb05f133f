// In charge of noticing when the database becomes unavailable and when it is back; in between, every request gets a 503 at once.
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { isUnavailable, sqlState } from './db.ts'
import { diskFull } from './disk-room.ts'
import type { Log } from './log.ts'

export type Availability = {
  /** Throws `database_unavailable` while the database is known to be unavailable. */
  require(): void
  /** Examines an error. If the error shows that the database is unavailable, probes the database until it responds again. */
  report(error: unknown): void
  stop(): void
}

const probeEveryMs = 250

export function watchAvailability(ping: () => Promise<void>, log: Log): Availability {
  let away = false
  let stopped = false
  let timer: NodeJS.Timeout | null = null

  const probe = async (): Promise<void> => {
    try {
      await ping()
      away = false
      log.info('the database is back')
    } catch {
      if (!stopped) timer = setTimeout(() => void probe(), probeEveryMs)
    }
  }

  return {
    require() {
      if (away) throw unavailable()
    },
    report(error) {
      if (away || !isUnavailable(error)) return
      away = true
      log.error({ err: error }, 'the database is away; answering 503 until it is back')
      void probe()
    },
    stop() {
      stopped = true
      if (timer) clearTimeout(timer)
    },
  }
}

/** Returns the refusal of a request that could not use the database, because of this error if it is known. */
export const unavailable = (error?: unknown) =>
  new Refusal(
    'database_unavailable',
    sqlState(error) === diskFull
      ? 'The disk of the database is full: nothing is written until an operator makes room on it. Reading goes on.'
      : 'The database cannot be reached just now. Try again shortly; a write that carries an Idempotency-Key is safe to repeat.',
  )
