// In charge of waiting for a database or file store that is unavailable or overloaded: paid results must not be lost
// because it restarts.
import { setTimeout as wait } from 'node:timers/promises'
import { isFilesUnavailable } from '../../platform/byte-store.ts'
import { isOverloaded, isUnavailable } from '../../platform/db.ts'

/** After this time the run has long been given to another worker. */
const retryForMs = 120_000

/**
 * Repeats its work while the database or the file store is unavailable; `again`: an earlier attempt may have been committed
 * all the same.
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
