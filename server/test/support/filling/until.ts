// In charge of waiting until a service that is being filled has come so far.
import { setTimeout as wait } from 'node:timers/promises'
import type { Speaker } from './fill.ts'

/** Throws if the run ends in another status. */
export const untilStatus = ({ ask }: Speaker, id: string, status: string): Promise<void> =>
  until(async () => {
    const run = await ask('GET', `/runs/${id}`)
    if (run.status !== status && ['failed', 'cancelled', 'succeeded'].includes(run.status)) {
      throw new Error(`A run is ${run.status}, not ${status}: ${JSON.stringify(run, null, 1)}`)
    }
    return run.status === status
  })

export async function until(is: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 60_000; !(await is()); await wait(20)) {
    if (performance.now() > end) throw new Error('The service did not come to what was waited for within a minute.')
  }
}
