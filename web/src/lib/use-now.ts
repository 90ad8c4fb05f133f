// In charge of the current time for texts such as "5 min ago", and for deciding what is late: all components share one clock, which
// ticks every half minute. It shows the service's time, because the clock of the user's computer may be wrong.
import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

/** By how many ms the service's clock is ahead of this computer's. */
let ahead = 0
export const serviceNow = (): number => Date.now() + ahead

const now = createStore(serviceNow())
let watchers = 0
let timer: ReturnType<typeof setInterval> | undefined

/**
 * Sets the clock by the `Date` header of a response that has just arrived, and not from a cache. The header has no fractions of
 * seconds and takes a while to arrive, so a difference of a few seconds is no sign of a wrong clock.
 */
export function setByService(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now()
  if (Number.isNaN(difference)) return
  ahead = Math.abs(difference) < 5_000 ? 0 : difference
  now.set(serviceNow())
}

export function useNow(): number {
  useEffect(() => {
    watchers += 1
    timer ??= setInterval(() => now.set(serviceNow()), 30_000)
    return () => {
      watchers -= 1
      if (watchers > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
  return useStore(now, (value) => value)
}
