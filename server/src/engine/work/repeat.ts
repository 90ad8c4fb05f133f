// In charge of work that is repeated at an interval, or earlier if `poke` is called. One execution of the work is a turn; two
// turns never overlap.
import { setTimeout as wait } from 'node:timers/promises'
import { isOverloaded, isUnavailable } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'

export type Repeated = {
  /** Begins the repetition. Resolves once the signal is aborted and the last turn has ended. */
  start(): Promise<void>
  /** Begins a turn now; if one is in progress, another follows it. */
  poke: () => void
}

type RepeatOptions = { seconds: number; work: () => Promise<void>; signal: AbortSignal; log: Log }

/** Repeats the work every `seconds`. A turn that fails is logged, and the next one follows as usual. */
export function repeat({ seconds, work, signal, log }: RepeatOptions): Repeated {
  let poked = Promise.withResolvers<void>()

  const turn = async (): Promise<void> => {
    poked = Promise.withResolvers()
    await work().catch((error: unknown) => {
      const isAway = isUnavailable(error) || isOverloaded(error)
      if (isAway) log.warn({ err: error }, 'the worker cannot reach the database; it tries again')
      else log.error({ err: error }, 'the worker met an error; it tries again')
    })
  }
  const pause = async (): Promise<void> => {
    const over = new AbortController()
    const either = AbortSignal.any([over.signal, signal])
    await Promise.race([poked.promise, wait(seconds * 1000, undefined, { signal: either }).catch(() => undefined)])
    over.abort()
  }

  return {
    poke: () => poked.resolve(),
    async start() {
      while (!signal.aborted) {
        await turn()
        await pause()
      }
    },
  }
}
