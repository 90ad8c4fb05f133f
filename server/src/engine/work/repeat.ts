// In charge of work that is repeated at an interval, or earlier if `poke` is called. One execution of the work is a turn; two
// turns never overlap.
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../../platform/log.ts'
import { createTrouble } from './trouble.ts'

export type Repeated = {
  /** Begins the repetition. Resolves once the signal is aborted and the last turn has ended. */
  start(): Promise<void>
  /** Begins a turn now; if one is in progress, another follows it. */
  poke: () => void
}

const words = {
  away: 'the worker cannot use the database; it tries again',
  bug: 'the worker met an error; it tries again',
}

type RepeatOptions = { seconds: number; work: () => Promise<void>; signal: AbortSignal; log: Log }

/**
 * Repeats the work every `seconds`. A turn that fails is logged, and the next one follows as usual; what the database cannot do just
 * now is logged only when it begins and when it is over.
 */
export function repeat({ seconds, work, signal, log }: RepeatOptions): Repeated {
  let poked = Promise.withResolvers<void>()
  const trouble = createTrouble(log, words)

  const turn = async (): Promise<void> => {
    poked = Promise.withResolvers()
    await work().catch((error: unknown) => trouble.met(error))
    trouble.turned()
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
