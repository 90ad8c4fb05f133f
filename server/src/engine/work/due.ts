// In charge of executing a function at once or after a delay, but never twice at the same time.
import { setImmediate as immediate } from 'node:timers/promises'

export type Due = {
  /**
   * Executes `work` at once; if it is being executed, executes it once more after that. Resolves when no further execution of
   * `work` has been asked for.
   */
  now(): Promise<void>
  /** Executes `work` within this number of milliseconds. If another request makes `work` begin earlier, that is enough. */
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
    // All requests from the same turn of the event loop share one execution of `work`.
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
      if (isDue) void now() // a request came after the last check of `isDue`
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
