// In charge of how much work of one kind a process does at the same time. Whatever comes in addition waits for its turn.
import { Refusal } from '@atelier/contract/wire/errors.ts'

/**
 * At most `most` turns are taken at once, and at most `mostWaiting` callers wait for one. A caller waits `waitMs` and is then
 * refused. A turn ends after `turnMs` at the latest. `what` names the work, as in `large lookups are being answered`.
 */
type TurnLimits = { most: number; mostWaiting: number; waitMs: number; turnMs: number; what: string }

export type EndTurn = () => void
/** Waits for a turn; returns the function that ends it. */
export type Turns = () => Promise<EndTurn>

export function createTurns({ most, mostWaiting, waitMs, turnMs, what }: TurnLimits): Turns {
  const refused = () => new Refusal('overloaded', `${most} ${what}; ask again in a moment.`)
  const waiting = new Set<() => void>()
  let taken = 0
  const begin = (): EndTurn => {
    taken++
    let isOver = false
    const end = (): void => {
      clearTimeout(timer)
      if (isOver) return
      isOver = true
      taken--
      const [next] = waiting
      next?.()
    }
    const timer = setTimeout(end, turnMs).unref()
    return end
  }
  const wait = (): Promise<EndTurn> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer)
        waiting.delete(start)
        resolve(begin())
      }
      const timer = setTimeout(() => {
        waiting.delete(start)
        reject(refused())
      }, waitMs)
      waiting.add(start)
    })
  return async () => {
    if (taken < most) return begin()
    if (waiting.size >= mostWaiting) throw refused()
    return wait()
  }
}

/** Does work in a turn. */
export async function inTurn<T>(turns: Turns, work: () => Promise<T>): Promise<T> {
  const end = await turns()
  try {
    return await work()
  } finally {
    end()
  }
}
