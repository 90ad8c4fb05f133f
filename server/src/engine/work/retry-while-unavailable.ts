// In charge of waiting for a database or a store of files that is away, or has too much to do: what has been paid for must not be lost to a restart of it.
import { setTimeout as wait } from 'node:timers/promises'
import { isFilesUnavailable } from '../../platform/byte-store.ts'
import { isOverloaded, isUnavailable } from '../../platform/db.ts'

/** After this a run has been given to another worker long since. */
const retryForMs = 120_000

/** Does its work again while the database, or the store of files, cannot serve; `again`: an earlier attempt may have been committed all the same. */
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
