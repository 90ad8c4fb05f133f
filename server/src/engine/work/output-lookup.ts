// In charge of finding existing results for a run: first in the earlier run whose results the run reuses, then among the
// results that this execution has computed, then in the run's own takes, then in the node cache. Many look-ups share one
// statement.
import { countCacheLookups } from '../../platform/counts.ts'
import type { Database } from '../../platform/db.ts'
import { hasOutputs, type UnitName, type UnitState, unitKey } from '../model/units.ts'
import { findCached, type KnownResult, touchCached } from '../store/cache.ts'
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

const chunk = 500
const noResults: ReadonlyMap<string, KnownResult> = new Map()

/**
 * `seed`: the units of the earlier run whose results are reused. `takesOf`: the id of the run that is executed; null if it
 * has no takes.
 */
export function createOutputLookup(
  database: Database,
  seed: readonly UnitState[],
  takesOf: string | null = null,
): OutputLookup {
  const seeds = new Map(seed.filter(hasOutputs).map((unit) => [unitKey(unit), unit]))
  const made = new Map<string, KnownResult>()
  const unasked = new Set<string>()
  let asked: PendingLookup[] = []
  let hasFound = true

  const findKept = async (keys: readonly string[]): Promise<ReadonlyMap<string, KnownResult>> => {
    const taken =
      takesOf === null ? noResults : (await retryWhileUnavailable(() => findTaken(database.main, takesOf, keys))).found
    const others = keys.filter((key) => !taken.has(key))
    if (others.length === 0) return taken
    const found = await retryWhileUnavailable(() => findCached(database.main, others))
    if (found.size > 0) await retryWhileUnavailable(() => touchCached(database.main, [...found.keys()]))
    return new Map([...found, ...taken])
  }
  /** Does all look-ups that were asked for in one turn of the event loop; groups of `chunk` look-ups share statements. */
  const lookUp = async (): Promise<void> => {
    const turn = asked
    asked = []
    for (let from = 0; from < turn.length; from += chunk) {
      const part = turn.slice(from, from + chunk)
      const keys = [...new Set(part.map(({ key }) => key))]
      try {
        const found = await findKept(keys)
        hasFound = found.size > 0
        const hits = part.filter(({ key }) => found.has(key)).length
        countCacheLookups('hit', hits)
        countCacheLookups('miss', part.length - hits)
        for (const { key, resolve } of part) resolve(found.get(key))
      } catch (error) {
        for (const { reject } of part) reject(error)
      }
    }
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
        if (asked.length === 0) setImmediate(() => void lookUp())
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
