// In charge of the current time for texts such as "5 min ago": all components share one clock, which ticks every half minute.
import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

const now = createStore(Date.now())
let watchers = 0
let timer: ReturnType<typeof setInterval> | undefined

export function useNow(): number {
  useEffect(() => {
    watchers += 1
    timer ??= setInterval(() => now.set(Date.now()), 30_000)
    return () => {
      watchers -= 1
      if (watchers > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
  return useStore(now, (value) => value)
}
