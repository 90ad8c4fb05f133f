// In charge of sharing the event loop: long work is done in pieces, and other work can run between two pieces of it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { createFairQueue } from './fair-queue.ts'

/**
 * The shortest and the longest slice, in milliseconds. A slice is the time for which pieces are done in a row; after it, the
 * event loop handles other events. A slice lasts as long as the other events took just before it, so that pieces and events
 * get equal time. Requests wait for the end of a slice, so even after very slow events it lasts no longer than the maximum.
 */
const leastMs = 8
const mostMs = 50

const waiting = createFairQueue<() => void>()
const owner = new AsyncLocalStorage<string>()
let isPumping = false
/** When the present slice ends, on the clock of `performance.now`. */
let end = 0

/**
 * Executes `work`. All calls of `turn` inside it belong to the owner `name`, for example the id of a run. Owners take turns,
 * so that an owner with many pieces does not delay the others.
 */
export const withTurnsOf = <T>(name: string, work: () => T): T => owner.run(name, work)

/**
 * Resolves when the caller may do one piece of work: at once while the present slice has time left, otherwise after the event
 * loop has handled other events. All callers in the process share the slices; callers of the same owner are served in the
 * order of their calls.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(owner.getStore() ?? '', resolve)
    if (!isPumping) void pump()
  })
}

/** Whether a loop whose steps are too short for a piece of their own waits for its turn at this step, counted from 0. */
export const endsPiece = (nth: number): boolean => nth % 250 === 249

/** Calls `step` for each of many, waiting for its turn after some of them, until `goesOn` returns false. */
export async function inPieces<T>(all: readonly T[], step: (one: T) => void, goesOn: () => boolean): Promise<void> {
  for (const [nth, one] of all.entries()) {
    if (endsPiece(nth)) await turn()
    if (!goesOn()) return
    step(one)
  }
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
    await undefined // lets the caller do its piece before the loop goes on, so that the time of the piece counts in this slice
  }
  isPumping = false
}
