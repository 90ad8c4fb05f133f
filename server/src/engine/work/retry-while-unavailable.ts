// In charge of waiting while the database or the file store is unavailable or overloaded, so that paid results are not lost
// when one of them restarts.
import { setTimeout as wait } from 'node:timers/promises'
import { isFilesUnavailable } from '../../platform/byte-store.ts'
import { isOverloaded, isUnavailable } from '../../platform/db.ts'

/** For how many milliseconds work is repeated. After this time, another worker has long taken over the run. */
const retryForMs = 120_000

/**
 * Repeats `work` while the database or the file store is unavailable. `again`: whether this is not the first attempt; then an
 * earlier attempt may have been committed although it seemed to fail.
 */
export async function retryWhileUnavailable<T>(work: (again: boolean) => Promise<T>): Promise<T> {
  const end = performance.now() + retryForMs
  let again = false
  for (let delay = 50; ; delay = Math.min(delay * 2, 2000)) {
    try {
      return await work(again)
    } catch (error) {
      const isPassing = isUnavailable(error) || isOverloaded(error) || isFilesUnavailable(error)
      if (!isPassing || performance.now() > end) throw error
      again = true
      await wait(delay)
    }
  }
}
