// In charge of the slot of a unit's call, and of counting the units of a run that only wait.
import { setTimeout as wait } from 'node:timers/promises'
import { providerAsked } from '../model/provider-limits.ts'
import type { ReadyUnit } from '../model/run-model.ts'
import type { Pause, Runnable } from './call.ts'
import type { Slot } from './slots.ts'
import type { RunContext } from './unit-result.ts'

/**
 * The slot that a unit's call occupies. `pause` releases it, waits the seconds until the next attempt, and then acquires a
 * slot again.
 */
export type UnitSlot = Pick<Slot, 'release'> & { pause: Pause }

export async function acquireSlot(run: RunContext, { params }: ReadyUnit, type: Runnable): Promise<UnitSlot> {
  const caller = { run: run.runLease.runId, type, provider: providerAsked(type, params) }
  let slot = await whileWaiting(run, () => run.engine.slots.acquire(caller, run.beginning))
  return {
    release: (how) => slot.release(how),
    pause: async (seconds, busy) => {
      if (busy) slot.close(seconds)
      slot.release('failed')
      slot = await whileWaiting(run, async () => {
        await wait(seconds * 1000, undefined, { signal: run.beginning })
        return run.engine.slots.acquire(caller, run.beginning, true)
      })
    },
  }
}

/** Counts the unit as waiting until `work` has ended. */
export async function whileWaiting<T>({ waiting }: RunContext, work: () => Promise<T>): Promise<T> {
  waiting.count += 1
  try {
    return await work()
  } finally {
    waiting.count -= 1
  }
}
