// In charge of how many large lookups a process answers at the same time. The result of one may have 40 MB, which stay in memory until
// the caller has read them: sixty at once ended a process whose heap was limited to 1 GB.
import type { CreativeLookup } from '@atelier/contract/launches.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'

/** A lookup of at least this many names and ad_ids counts as large. */
const largeHandles = 100
const mostAtOnce = 8
/** For how many ms a large lookup waits for its turn before it is refused. */
const patienceMs = 10_000
/** After this many ms a turn ends, even if the caller has not read everything: slow callers must not keep others from asking. */
const longestTurnMs = 60_000

type End = () => void
export type LargeLookups = {
  /** Waits for the turn of a lookup; returns the function that ends the turn. A lookup that is not large does not wait. */
  turn(lookup: CreativeLookup): Promise<End>
}

export function createLargeLookups(most = mostAtOnce, waitMs = patienceMs, turnMs = longestTurnMs): LargeLookups {
  const waiting = new Set<() => void>()
  let active = 0
  const begin = (): End => {
    active++
    const end = (): void => {
      clearTimeout(timer)
      if (isOver) return
      isOver = true
      active--
      const [next] = waiting
      next?.()
    }
    let isOver = false
    const timer = setTimeout(end, turnMs).unref()
    return end
  }
  const wait = (): Promise<End> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer)
        waiting.delete(start)
        resolve(begin())
      }
      const timer = setTimeout(() => {
        waiting.delete(start)
        reject(new Refusal('overloaded', `${most} large lookups are being answered; ask again in a moment.`))
      }, waitMs)
      waiting.add(start)
    })
  return {
    turn: async ({ names = [], ad_ids: adIds = [] }) => {
      if (names.length + adIds.length < largeHandles) return () => undefined
      return active < most ? begin() : wait()
    },
  }
}

/** Passes on the parts of a response, and ends the turn after the last one, or as soon as no more are wanted. */
export function* untilSent(parts: Iterable<string>, end: End): Generator<string> {
  try {
    yield* parts
  } finally {
    end()
  }
}
