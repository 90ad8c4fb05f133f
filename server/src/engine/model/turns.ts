// In charge of sharing the event loop: work that takes long in sum is done in pieces, between which others have their turn.
import { setImmediate } from 'node:timers/promises'

/**
 * How long pieces follow one another before the event loop goes on with what else there is: as long as that took the last
 * time, so that neither starves beside the other, within these bounds.
 */
const leastMs = 8
const mostMs = 1000

let waiting: (() => void)[] = []
let isPumping = false
/** When the present slice ends. */
let end = 0

/**
 * Resolves when the caller may do a piece of work: at once in a slice that has time left, else after the event loop has
 * had its turn. Callers of the whole process share the slices, first come, first served.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (!isPumping) void pump()
  })
}

async function pump(): Promise<void> {
  isPumping = true
  while (waiting.length > 0) {
    const batch = waiting
    waiting = []
    for (const next of batch) {
      if (performance.now() >= end) {
        const left = performance.now()
        await setImmediate()
        const now = performance.now()
        end = now + Math.min(Math.max(now - left, leastMs), mostMs)
      }
      next()
      await undefined // the piece runs before this goes on, so that its time counts
    }
  }
  isPumping = false
}
