// In charge of sharing the event loop: long work is done in pieces, and other work can run between two pieces of it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { createFairQueue } from './fair-queue.ts'

/**
 * The shortest and the longest slice, in milliseconds. A slice is the time for which pieces are done in a row before the
 * event loop handles other events. It lasts as long as handling those events took before it, so that neither starves the
 * other. The maximum also applies after very slow events, since requests wait for the end of the slice.
 */
const leastMs = 8
const mostMs = 50

const waiting = createFairQueue<() => void>()
const owner = new AsyncLocalStorage<string>()
let isPumping = false
/** When the present slice ends, on the clock of `performance.now`. */
let end = 0

/**
 * Calls `work`. All its calls of `turn` belong to the owner `name`, for example a run. Owners take turns, so that one with
 * many pieces does not delay the others.
 */
export const withTurnsOf = <T>(name: string, work: () => T): T => owner.run(name, work)

/**
 * Resolves when the caller may do one piece of work: at once while the present slice has time left, otherwise after the event
 * loop has handled other events. All callers in the process share the slices; the pieces of one owner are done in the order
 * in which they called `turn`.
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
    await undefined // the piece is done before the loop goes on, so that its time is part of the slice
  }
  isPumping = false
}
