// In charge of how large runs may grow, and what is refused because of it. Pure.
import { Invalid } from '@atelier/contract/errors.ts'
import { jsonSize, megabytes } from './json-size.ts'
import { type UnitName, unitKey } from './units.ts'

/** What one checkpoint holds at most. JavaScript has no longer strings than 512 MB, and writing one takes several times its size. */
export const checkpointLimit = 320 * 1024 * 1024
/** What the answer of a write holds of a run at most: it is kept with the transaction, and is not sent as it is read. */
export const answerLimit = 8 * 1024 * 1024

/** Thrown where a checkpoint of a run would be larger than one can be. */
export class TooLargeToKeep extends Invalid {
  readonly sentence: string
  constructor(runId: string, bytes: number) {
    const sentence = `What the run has made is ${megabytes(bytes)}, and its history holds ${megabytes(checkpointLimit)} at a time at most.`
    const msg = `Value error, the run can no longer be changed: ${sentence} Delete it, and start a new one with fewer or smaller items.`
    super([{ type: 'value_error', loc: ['path', 'run_id'], msg, input: runId, ctx: { error: {} } }])
    this.sentence = sentence
  }
}

/** What the results of a run may come to in sum, while it is executed. */
export type Room = {
  /** Counts the outputs of a unit, in place of those it had; null where they fit, else why not. */
  take(unit: UnitName, outputs: Record<string, unknown>): string | null
  /** Items that are gone give back theirs. */
  free(units: readonly UnitName[]): void
  /** Why nothing is begun any more that costs something; null while there is room. */
  refusal(): string | null
}

export function createRoom(limit: number, sizes: Map<string, number>): Room {
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
    refusal: () => (isFull ? `${full}: it was not begun. Run it over fewer items, or have it make less.` : null),
  }
}
