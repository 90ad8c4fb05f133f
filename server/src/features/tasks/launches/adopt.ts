// In charge of a periodic job for launches that still wait although a creative has their name: it gives them to that creative.
import type { Database } from '../../../platform/db.ts'
import { lockTasks } from '../store.ts'
import { adoptLaunches, applyLaunches, tasksToAdopt } from './store.ts'

/** How many tasks one call of the job handles at most. */
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
