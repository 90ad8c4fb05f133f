// In charge of the signals that stop the execution of a run.
import { LostRun } from '../store/runs.ts'
import type { RunContext } from './unit-result.ts'

export type StopSignal = Pick<RunContext, 'signal' | 'paidSignal' | 'beginning' | 'isAccepting'>

export type Stopper = {
  signal: StopSignal
  /** From now on no call begins. Calls in progress may end. */
  refuse(reason: Error): void
  /** From now on no call begins, and calls in progress are aborted; if the run is lost, only those that cost nothing. */
  abort(reason: Error): void
}

export function createStopper(): Stopper {
  const [all, paid, beginning] = [new AbortController(), new AbortController(), new AbortController()]
  return {
    signal: {
      signal: all.signal,
      paidSignal: paid.signal,
      beginning: beginning.signal,
      isAccepting: () => !beginning.signal.aborted,
    },
    refuse: (reason) => beginning.abort(reason),
    abort: (reason) => {
      beginning.abort(reason)
      if (!(reason instanceof LostRun)) paid.abort(reason)
      all.abort(reason)
    },
  }
}
