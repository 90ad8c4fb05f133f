// In charge of background work that handles many runs one after the other: if it fails for one run, it goes on with the next.
import { isUnavailable } from '../../platform/db.ts'

/** How many failures the error at the end of the work lists. */
const listedFailures = 10

/**
 * Calls `work` for each of the runs, one after the other, until `stopping` is aborted. Returns the sum of what `work` returns.
 * If `work` fails for some runs, throws their failures after the other runs have been handled; if the database is not
 * available, throws at once.
 */
export async function oneByOne(
  pages: AsyncIterable<readonly string[]>,
  work: (id: string) => Promise<number>,
  stopping?: AbortSignal,
): Promise<number> {
  const failures: Error[] = []
  let sum = 0
  for await (const ids of pages) {
    for (const id of ids) {
      if (stopping?.aborted) break
      try {
        sum += await work(id)
      } catch (error) {
        if (isUnavailable(error)) throw error
        failures.push(new Error(`It failed for the run ${id}.`, { cause: error }))
      }
    }
    if (stopping?.aborted) break
  }
  if (failures.length > 0) throw new AggregateError(failures.slice(0, listedFailures), 'It failed for some runs.')
  return sum
}
