// In charge of how a page waits for what is going on elsewhere: the one place that knows whether it asks or is told.
import { useEffect, useRef } from 'react'

/** Once a second while it is being looked at; where an answer takes long, asking takes a fifth of the time at most. */
const everyMs = 1_000
const share = 4

/** Calls `refetch` again and again while `active`, never twice at once, and at once when the page is looked at again. */
export function useLive(active: boolean, refetch: () => Promise<unknown>): void {
  const latest = useRef(refetch)
  latest.current = refetch
  useEffect(() => {
    if (!active) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      timer = undefined
      const began = performance.now()
      // A failed answer is shown by whoever shows the data; the next one may be there again.
      if (!document.hidden) await latest.current().catch(() => undefined)
      if (!isOver) timer = setTimeout(ask, Math.max(everyMs, share * (performance.now() - began)))
    }
    const look = () => {
      if (document.hidden || timer === undefined) return
      clearTimeout(timer)
      void ask()
    }
    timer = setTimeout(ask, everyMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [active])
}
