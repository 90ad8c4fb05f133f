// In charge of work that follows the end of runs: done every few seconds, and at once when a run is reported as changed.
import type { Change } from '@atelier/contract/wire/events.ts'
import { repeat } from '../engine/work/repeat.ts'
import type { Changes } from '../platform/changes.ts'
import type { Log } from '../platform/log.ts'

/** Seconds between two checks, for changes that were not reported. */
const lookEvery = 2

export type Follower = {
  /** Starts the loop, which runs until `stop`. */
  start(): void
  stop(): Promise<void>
}

/** `work` takes no input and is idempotent. */
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
