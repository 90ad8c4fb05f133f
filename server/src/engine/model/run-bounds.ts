// In charge of the limits on the size of runs, and of deciding what is refused when a limit is reached. Pure.
import { jsonSize, megabytes } from './json-size.ts'
import { type UnitName, unitKey } from './units.ts'

/** The maximum size, in bytes, of a run's stored states: a worker does not load a larger run into memory. */
export const heldLimit = 320 * 1024 * 1024
/**
 * The maximum size, in bytes, of a run in the response to a write. The transaction of the write stores the response, so that a
 * repeated request gets the same one. The response can therefore not be streamed.
 */
export const answerLimit = 8 * 1024 * 1024

/** The error of a run that is too large for a worker to load. */
export const tooLargeToHold = (bytes: number): string =>
  `What the run has made is ${megabytes(bytes)}, and a worker holds ${megabytes(heldLimit)} at a time at most. What it made stays. Start a new one with fewer or smaller items.`

/** Counts the bytes of a run's results while the run is executed, and compares them with the limit. */
export type Room = {
  /**
   * Counts the outputs of a unit in place of its earlier ones, and returns null. If they do not fit, does not count them, and
   * returns the reason.
   */
  take(unit: UnitName, outputs: Record<string, unknown>): string | null
  /** Stops counting the outputs of units that have none any more. */
  free(units: readonly UnitName[]): void
  /**
   * If takes and results together exceed the limit: the number of bytes to which the caller has to reduce the takes; from then
   * on, this number is counted for them. Null if takes and results fit.
   */
  takesToKeep(): number | null
  /** The reason why no further call that may cost something may begin; null until outputs have been refused by `take`. */
  refusal(): string | null
}

/**
 * `limit`: the maximum bytes of results and takes together. `sizes`: unit key → bytes of the unit's outputs. `takes`: the
 * bytes of all takes. `takesToKeep` asks for slightly fewer takes than would fit, so that takes seldom have to be removed.
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
      kept = Math.max(0, limit - used - Math.ceil(limit / 16)) // whole bytes, as the statement that trims the takes needs
      return kept
    },
    refusal: () => (isFull ? `${full}: it was not begun. Run it over fewer items, or have it make less.` : null),
  }
}
