// In charge of sharing the event loop: long work is done in pieces, and other work can run between two pieces.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { createFairQueue } from './fair-queue.ts'

/**
 * Bounds for a slice: the time for which pieces run in a row before the event loop handles other events. A slice is as
 * long as those events took the last time, so that neither starves the other. It is also bounded after a slow
 * statement, since requests wait for its end.
 */
const leastMs = 8
const mostMs = 50

const waiting = createFairQueue<() => void>()
const owner = new AsyncLocalStorage<string>()
let isPumping = false
/** When the present slice ends, on the clock of `performance.now`. */
let end = 0

/** Does work whose pieces take turns with those of other owners: an owner with many pieces does not delay the others. */
export const withTurnsOf = <T>(name: string, work: () => T): T => owner.run(name, work)

/**
 * Resolves when the caller may do a piece of work: at once while the present slice has time left, else after the event loop
 * has handled other events. All callers of the process share the slices; owners take turns, each in the order of its calls.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(owner.getStore() ?? '', resolve)
    if (!isPumping) void pump()
  })
}

async function pump(): Promise<void> {
  isPumping = true
  for (let next = waiting.take(); next; next = waiting.take()) {
    if (performance.now() >= end) {
      const left = performance.now()
      await setImmediate()
      const now = performance.now()
      end = now + Math.min(Math.max(now - left, leastMs), mostMs)
    }
    next()
    await undefined // the piece runs before the loop continues, so that its time counts
  }
  isPumping = false
}
