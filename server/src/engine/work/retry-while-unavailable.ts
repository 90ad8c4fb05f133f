// In charge of waiting for a database that is away, or has too much to do: what has been paid for must not be lost to a restart of it.
import { setTimeout as wait } from 'node:timers/promises'
import { isOverloaded, isUnavailable } from '../../platform/db.ts'

/** After this a run has been given to another worker long since. */
const patienceMs = 120_000

/** Does its work again while the database cannot serve; `again`: an earlier attempt may have been committed all the same. */
export async function patiently<T>(work: (again: boolean) => Promise<T>): Promise<T> {
  const end = performance.now() + patienceMs
  let again = false
  for (let delay = 50; ; delay = Math.min(delay * 2, 2000)) {
    try {
      return await work(again)
    } catch (error) {
      if (!(isUnavailable(error) || isOverloaded(error)) || performance.now() > end) throw error
      again = true
      await wait(delay)
    }
  }
}
