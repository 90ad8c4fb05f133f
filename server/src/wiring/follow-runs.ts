// In charge of what follows from the ends of runs: done every few seconds, and sooner where a run is said to have changed.
import type { Change } from '@atelier/contract/wire/events.ts'
import { repeat } from '../engine/work/repeat.ts'
import type { Changes } from '../platform/changes.ts'
import type { Log } from '../platform/log.ts'

/** Seconds between two looks for what no hint told of. */
const lookEvery = 2

export type Follower = {
  /** Begins, until `stop`. */
  start(): void
  stop(): Promise<void>
}

/** `work`: takes no input and is idempotent. */
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
