// In charge of how large runs may grow, and what is refused because of it. Pure.
import { jsonSize, megabytes } from './json-size.ts'
import { type UnitName, unitKey } from './units.ts'

/** What a worker holds of a run at most. */
export const heldLimit = 320 * 1024 * 1024
/** What the answer of a write holds of a run at most: it is kept with the transaction, and is not sent as it is read. */
export const answerLimit = 8 * 1024 * 1024

/** Why a run is ended before a worker has read it. */
export const tooLargeToHold = (bytes: number): string =>
  `What the run has made is ${megabytes(bytes)}, and a worker holds ${megabytes(heldLimit)} at a time at most. What it made stays. Start a new one with fewer or smaller items.`

/** What the results of a run may come to in sum, while it is executed. */
export type Room = {
  /** Counts the outputs of a unit, in place of those it had; null where they fit, else why not. */
  take(unit: UnitName, outputs: Record<string, unknown>): string | null
  /** Items that are gone give back theirs. */
  free(units: readonly UnitName[]): void
  /** How many bytes of takes may stay, once they no longer fit beside the results; null while they do. */
  takesToKeep(): number | null
  /** Why nothing is begun any more that costs something; null while there is room. */
  refusal(): string | null
}

/** `takes`: bytes of them. They give way to results, a little more than is needed, so that this is seldom. */
export function createRoom(limit: number, sizes: Map<string, number>, takes = 0): Room {
  let kept = takes
  let used = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  let isFull = false
  const full = `The results of the run have reached ${megabytes(limit)}, which is the most one run may hold`
  const put = (key: string, size: number): void => {
    used += size - (sizes.get(key) ?? 0)
    sizes.set(key, size)
  }
  return {
    take(unit, outputs) {
      const key = unitKey(unit)
      const size = jsonSize(outputs)
      if (used + size - (sizes.get(key) ?? 0) <= limit) {
        put(key, size)
        return null
      }
      isFull = true
      return `${full}: this one (${megabytes(size)}) was left out, the others stand. Run it over fewer items, or have it make less.`
    },
    free: (units) => {
      for (const unit of units) put(unitKey(unit), 0)
    },
    takesToKeep: () => {
      if (kept === 0 || used + kept <= limit) return null
      kept = Math.max(0, limit - used - limit / 16)
      return kept
    },
    refusal: () => (isFull ? `${full}: it was not begun. Run it over fewer items, or have it make less.` : null),
  }
}
