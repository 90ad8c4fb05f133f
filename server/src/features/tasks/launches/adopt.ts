// In charge of launches that wait for a creative with their name: giving them to a creative that has the name, but missed them.
import type { Database } from '../../../platform/db.ts'
import { lockTasks } from '../store.ts'
import { adoptLaunches, applyLaunches, tasksToAdopt } from './store.ts'

/** How many tasks one turn handles. */
const batch = 200

/**
 * Called periodically: gives waiting launches to the creatives that have the right names. A creative misses a launch if one
 * transaction records the launch while another one gives the creative its name, since neither can see what the other one writes.
 */
export async function adoptWaitingLaunches(database: Database): Promise<void> {
  await database.tx(async (tx) => {
    const locked = await lockTasks(tx, await tasksToAdopt(tx, batch))
    const ids = locked.map(({ id }) => id)
    if (ids.length > 0 && (await adoptLaunches(tx, ids))) await applyLaunches(tx, ids)
  })
}
