// In charge of when what waits is done: one time after another, at once or within a moment.
import { setImmediate as immediate } from 'node:timers/promises'

export type Due = {
  /** Does it now, or once more after what is under way; resolved once all that was due is done. */
  now(): Promise<void>
  /** Does it within a number of milliseconds, with whatever becomes due earlier. */
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
    // So that what is asked for at once is done at once.
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
