// In charge of finding existing results for a run: first in the earlier run whose results the run reuses, then among the
// results that this execution has computed, then in the run's own takes, then in the node cache. Many look-ups share one
// statement.

import { chunksOf } from '../../platform/chunks.ts'
import { countCacheLookups } from '../../platform/counts.ts'
import type { Database } from '../../platform/db.ts'
import { hasOutputs, type UnitName, type UnitState, unitKey } from '../model/units.ts'
import { findCached, type KnownResult, readLimit, touchCached } from '../store/cache.ts'
import { findTaken } from '../store/takes.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'

export type OutputLookup = {
  /**
   * Finds the result for a key; undefined if there is none. `isAlone`: no other unit of the run is being executed. Then, if
   * the run has no takes and the last look-up found nothing, the cache is not read here, because claiming the key reads it
   * anyway. This saves a round trip for nodes that are executed one after the other.
   */
  find(unit: UnitName, key: string, isAlone?: boolean): Promise<KnownResult | undefined>
  /** Called after the key was claimed: counts the look-up that `find` left out. `isFound`: whether the cache had the outputs. */
  noteClaim(key: string, isFound: boolean): Promise<void>
  /** Adds a result that this execution of the run has computed. It stays in memory, so the run must have room for it. */
  remember(key: string, result: KnownResult): void
}

type PendingLookup = {
  key: string
  resolve: (found: KnownResult | undefined) => void
  reject: (reason: unknown) => void
}

/** How many look-ups share one statement at most. */
const sharing = 500
/** The look-ups that wait for a result, by key. */
type Waiting = Map<string, PendingLookup[]>
const noResults: ReadonlyMap<string, KnownResult> = new Map()

/** Passes results on to the look-ups that wait for them. Returns how many these were. */
function serve(waiting: Waiting, found: ReadonlyMap<string, KnownResult>): number {
  let served = 0
  for (const [key, result] of found) {
    const lookups = waiting.get(key) ?? []
    waiting.delete(key)
    served += lookups.length
    for (const { resolve } of lookups) resolve(result)
  }
  return served
}

/**
 * `seed`: the units of the earlier run whose results are reused. `takesOf`: the id of the run that is executed; null if it
 * has no takes. `limit`: the maximum bytes of cached outputs that are read at a time.
 */
export function createOutputLookup(
  database: Database,
  seed: readonly UnitState[],
  takesOf: string | null = null,
  limit = readLimit,
): OutputLookup {
  const seeds = new Map(seed.filter(hasOutputs).map((unit) => [unitKey(unit), unit]))
  const made = new Map<string, KnownResult>()
  const unasked = new Set<string>()
  const asked: PendingLookup[] = []
  let isLooking = false
  let hasFound = true

  /**
   * Finds the results for keys. Of the cache, it reads a part at a time, so that many large results are never in memory together.
   * The takes of a run are read at once: a run with its takes has a maximum size.
   */
  async function* findKept(keys: readonly string[]): AsyncGenerator<ReadonlyMap<string, KnownResult>> {
    const taken =
      takesOf === null ? noResults : (await retryWhileUnavailable(() => findTaken(database.main, takesOf, keys))).found
    yield taken
    const others = keys.filter((key) => !taken.has(key))
    const parts = others.length === 0 ? [] : [others]
    for (const part of parts) {
      const { found, unread } = await retryWhileUnavailable(() => findCached(database.main, part, limit))
      // What is left for a later part is also marked as used now; otherwise it could be evicted before it is read.
      const used = [...found.keys(), ...unread.map(({ key }) => key)]
      if (used.length > 0) await retryWhileUnavailable(() => touchCached(database.main, used))
      yield found
      for (const left of chunksOf(unread, { count: sharing, bytes: limit }, ({ bytes }) => ({ count: 1, bytes })))
        parts.push(left.map(({ key }) => key))
    }
  }
  const lookUp = async (part: readonly PendingLookup[]): Promise<void> => {
    const waiting: Waiting = Map.groupBy(part, ({ key }) => key)
    let hits = 0
    try {
      for await (const found of findKept([...waiting.keys()])) {
        if (found.size > 0) hasFound = true
        hits += serve(waiting, found)
      }
      if (hits === 0) hasFound = false
      countCacheLookups('hit', hits)
      countCacheLookups('miss', part.length - hits)
      for (const { resolve } of [...waiting.values()].flat()) resolve(undefined)
    } catch (error) {
      for (const { reject } of [...waiting.values()].flat()) reject(error)
    }
  }
  /** Does the look-ups one statement at a time, since each may read as much as `limit`. Those that are asked for meanwhile wait. */
  const lookUpAll = async (): Promise<void> => {
    isLooking = true
    while (asked.length > 0) await lookUp(asked.splice(0, sharing))
    isLooking = false
  }

  return {
    find: (unit, key, isAlone = false) => {
      const seeded = seeds.get(unitKey(unit))
      if (seeded?.cacheKey === key && seeded.outputs)
        return Promise.resolve({ outputs: seeded.outputs, message: seeded.message })
      const ours = made.get(key)
      if (ours) return Promise.resolve(ours)
      if (isAlone && !hasFound && takesOf === null) {
        unasked.add(key)
        return Promise.resolve(undefined)
      }
      return new Promise((resolve, reject) => {
        if (asked.length === 0 && !isLooking) setImmediate(() => void lookUpAll())
        asked.push({ key, resolve, reject })
      })
    },
    noteClaim: async (key, isFound) => {
      if (!unasked.delete(key)) return
      hasFound = isFound
      countCacheLookups(isFound ? 'hit' : 'miss')
      if (isFound) await retryWhileUnavailable(() => touchCached(database.main, [key]))
    },
    remember: (key, result) => made.set(key, result),
  }
}
