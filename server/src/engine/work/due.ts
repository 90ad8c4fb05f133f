// In charge of running a piece of work when it is due, now or within a delay; never two times at once.
import { setImmediate as immediate } from 'node:timers/promises'

export type Due = {
  /** Runs the work now, or once more after the run in progress; resolves when all work due has been done. */
  now(): Promise<void>
  /** Runs the work within a number of milliseconds, or together with an earlier run. */
  within(ms: number): void
  isWorking(): boolean
}

export function createDue(work: () => Promise<void>): Due {
  let working: Promise<void> | null = null
  let isDue = false
  let timer: { timeout: NodeJS.Timeout; at: number } | null = null

  const stopTimer = (): void => {
    clearTimeout(timer?.timeout)
    timer = null
  }
  const drain = async (): Promise<void> => {
    // Lets all requests of this turn of the event loop join one run.
    await immediate()
    while (isDue) {
      isDue = false
      stopTimer()
      await work()
    }
  }
  const now = (): Promise<void> => {
    isDue = true
    working ??= drain().finally(() => {
      working = null
      if (isDue) void now() // asked for between the last look and now
    })
    return working
  }
  return {
    now,
    isWorking: () => working !== null,
    within: (ms) => {
      const at = performance.now() + ms
      if (timer && timer.at <= at) return
      stopTimer()
      timer = { timeout: setTimeout(now, ms), at }
    },
  }
}
