// In charge of logging a failure that repeats: when it is new, once an hour, and when it is over.
import type { Log } from './log.ts'

/** For this long, in ms, the same failure is not logged again. */
const quietMs = 3_600_000

/** Called with the error of a failure, and with null for a success. */
export type Report = (error: unknown) => void

type Words = { level: 'warn' | 'error'; failed: string; again: string }

/**
 * Returns a function that logs how each turn of something ended. A failure that repeats, as on a full disk or without a database, is
 * logged once an hour and when it is over, because some things have a turn each second. `fields` are in each line.
 */
export function reporter(log: Log, { level, failed, again }: Words, fields: Record<string, string> = {}): Report {
  let last: { kind: string; loggedAt: number; turns: number } | null = null
  return (error) => {
    if (error === null) {
      if (last === null) return
      log.info({ ...fields, turns: last.turns }, again)
      last = null
      return
    }
    const kind = kindOf(error)
    const turns = (last?.turns ?? 0) + 1
    const isKnown = last?.kind === kind && performance.now() - last.loggedAt < quietMs
    last = { kind, turns, loggedAt: isKnown && last ? last.loggedAt : performance.now() }
    if (!isKnown) log[level]({ err: error, ...fields, turns }, failed)
  }
}

/** Two failures with the same code are the same, even if their messages differ in a number. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? `${error.name} ${error.code}` : `${error.name} ${error.message}`
}
