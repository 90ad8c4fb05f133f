// In charge of launches that wait for a creative with their name: the periodic check for those that were missed.
import type { Database } from '../../../platform/db.ts'
import { lockTasks } from '../store.ts'
import { adoptLaunches, applyLaunches, tasksToAdopt } from './store.ts'

/** Tasks per turn. */
const batch = 200

/**
 * Periodic: adopts launches whose name was given to a creative while they were being recorded. The two transactions
 * could not see each other; this one sees both.
 */
export async function adoptWaitingLaunches(database: Database): Promise<void> {
  await database.tx(async (tx) => {
    const locked = await lockTasks(tx, await tasksToAdopt(tx, batch))
    const ids = locked.map(({ id }) => id)
    if (ids.length > 0 && (await adoptLaunches(tx, ids))) await applyLaunches(tx, ids)
  })
}
