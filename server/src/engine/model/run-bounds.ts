// In charge of limiting the size of runs, and of deciding what is refused above that size. Pure.
import { jsonSize, megabytes } from './json-size.ts'
import { type UnitName, unitKey } from './units.ts'

/** The maximum number of bytes of a run that a worker keeps in memory. */
export const heldLimit = 320 * 1024 * 1024
/**
 * The largest run that the response to a write may contain: the response is stored in the transaction, so it cannot be
 * streamed.
 */
export const answerLimit = 8 * 1024 * 1024

/** The error of a run that is too large for a worker to read. */
export const tooLargeToHold = (bytes: number): string =>
  `What the run has made is ${megabytes(bytes)}, and a worker holds ${megabytes(heldLimit)} at a time at most. What it made stays. Start a new one with fewer or smaller items.`

/** Counts the bytes of a run's results while it is executed, and compares them with the limit. */
export type Room = {
  /** Counts the outputs of a unit instead of its earlier ones; returns null if they fit, otherwise the reason why not. */
  take(unit: UnitName, outputs: Record<string, unknown>): string | null
  /** Stops counting the outputs of deleted items. */
  free(units: readonly UnitName[]): void
  /**
   * If takes and results together exceed the limit, the number of bytes to which takes have to be reduced; null if they
   * fit.
   */
  takesToKeep(): number | null
  /** The reason why no further paid call may begin; null while there is room. */
  refusal(): string | null
}

/**
 * `takes`: their total bytes. Takes are removed to make room for results; slightly more than needed, so that it happens
 * seldom.
 */
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
