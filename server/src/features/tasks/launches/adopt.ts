// In charge of launches that wait for a creative with a certain name: finding those that were missed when a creative got the name.
import type { Database } from '../../../platform/db.ts'
import { lockTasks } from '../store.ts'
import { adoptLaunches, applyLaunches, tasksToAdopt } from './store.ts'

/** How many tasks one turn handles. */
const batch = 200

/**
 * Called periodically: gives waiting launches to the creatives that have their names now. A launch is missed if it is recorded
 * while another transaction gives a creative its name, since neither of the two transactions can see what the other one writes.
 */
export async function adoptWaitingLaunches(database: Database): Promise<void> {
  await database.tx(async (tx) => {
    const locked = await lockTasks(tx, await tasksToAdopt(tx, batch))
    const ids = locked.map(({ id }) => id)
    if (ids.length > 0 && (await adoptLaunches(tx, ids))) await applyLaunches(tx, ids)
  })
}
