// In charge of sharing the event loop: work that takes long in sum is done in pieces, between which others have their turn.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { createFairQueue } from './fair-queue.ts'

/**
 * How long pieces follow one another before the event loop goes on with what else there is: as long as that took the last
 * time, so that neither starves beside the other, within these bounds. Requests wait for a slice: one that was as long as a slow
 * statement before it would have them wait for both.
 */
const leastMs = 8
const mostMs = 50

const waiting = createFairQueue<() => void>()
const owner = new AsyncLocalStorage<string>()
let isPumping = false
/** When the present slice ends. */
let end = 0

/** Does work whose pieces take turns with those of other owners: one with many pieces keeps no other waiting. */
export const withTurnsOf = <T>(name: string, work: () => T): T => owner.run(name, work)

/**
 * Resolves when the caller may do a piece of work: at once in a slice that has time left, else after the event loop has
 * had its turn. Callers of the whole process share the slices; owners one after the other, each in the order of its calls.
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
    await undefined // the piece runs before this goes on, so that its time counts
  }
  isPumping = false
}
