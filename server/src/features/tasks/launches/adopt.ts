// In charge of launches that wait for a creative with their name: a periodic check adopts those that were missed.
import type { Database } from '../../../platform/db.ts'
import { lockTasks } from '../store.ts'
import { adoptLaunches, applyLaunches, tasksToAdopt } from './store.ts'

/** Tasks per turn. */
const batch = 200

/**
 * Periodic: adopts launches whose name was given to a creative while they were being recorded. Those two concurrent transactions
 * could not see each other's changes; this transaction sees both.
 */
export async function adoptWaitingLaunches(database: Database): Promise<void> {
  await database.tx(async (tx) => {
    const locked = await lockTasks(tx, await tasksToAdopt(tx, batch))
    const ids = locked.map(({ id }) => id)
    if (ids.length > 0 && (await adoptLaunches(tx, ids))) await applyLaunches(tx, ids)
  })
}
