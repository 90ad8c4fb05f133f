// In charge of a periodic job for launches that still wait although a creative has their name: it gives them to that creative.
import type { Database } from '../../../platform/db.ts'
import { lockTasks } from '../store.ts'
import { adoptLaunches, applyLaunches, tasksToAdopt } from './store.ts'

/** How many tasks one call of the job handles at most. */
const batch = 200

/**
 * Called periodically: gives waiting launches to the creatives that have the right names. Processes of an earlier version of Atelier
 * leave such launches, if they record a launch, or give a creative its name, while another transaction does the other: they do not
 * lock the name (see `claimLaunches`), so that neither sees what the other writes.
 */
export async function adoptWaitingLaunches(database: Database): Promise<void> {
  await database.tx(async (tx) => {
    const locked = await lockTasks(tx, await tasksToAdopt(tx, batch))
    const ids = locked.map(({ id }) => id)
    if (ids.length > 0 && (await adoptLaunches(tx, ids))) await applyLaunches(tx, ids)
  })
}
