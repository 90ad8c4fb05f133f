// In charge of a loop for work that is due when runs have ended. The loop does the work every few seconds, and at once when a
// change of a run is reported.
import type { Change } from '@atelier/contract/wire/events.ts'
import { repeat } from '../engine/work/repeat.ts'
import type { Changes } from '../platform/changes.ts'
import type { Log } from '../platform/log.ts'

/** Seconds between two repetitions. The repetitions also find changes that were not reported. */
const lookEvery = 2

export type Follower = {
  /** Starts the loop, which continues until `stop` is called. */
  start(): void
  stop(): Promise<void>
}

/** Creates the loop. It may call `work` more often than necessary, which must do no harm. */
export function followRuns({
  log,
  changes,
  work,
}: {
  log: Log
  changes: Changes
  work: () => Promise<void>
}): Follower {
  const stopping = new AbortController()
  const loop = repeat({ seconds: lookEvery, work, signal: stopping.signal, log })
  const look = (told: readonly Change[]): void => {
    if (told.some(({ kind }) => kind === 'run')) loop.poke()
  }
  let unwatch = (): void => undefined
  let done: Promise<void> | null = null
  return {
    start() {
      unwatch = changes.watch({ changed: look, missed: loop.poke })
      done ??= loop.start()
    },
    async stop() {
      unwatch()
      stopping.abort()
      await done
    },
  }
}
