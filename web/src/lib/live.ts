// In charge of how a page learns of changes elsewhere: by polling, or by reports over the connection.
import type { Change } from '@atelier/contract/wire/events.ts'
import { useEffect, useRef } from 'react'
import { isLive, listenLive, onLiveState } from './live-connection.ts'

/** Polls once a second while the page is visible; slow responses are polled less often, at most a fifth of the time. */
const everyMs = 1_000
const share = 4
/** How long reported changes are gathered. */
const gatherMs = 200

/** Records that parts of the page read again themselves, with the number of such parts. */
const watched = new Map<string, number>()

/** Whether a part of the page that receives reports reads the query of this key (`['run', id]`) again itself. */
export const isWatched = (key: readonly unknown[]): boolean => watched.has(nameOf(key))

const nameOf = ([kind, id]: readonly unknown[]): string => `${kind} ${id}`

/** The same for the queries that are shown at this moment. */
export function watchedNow(): typeof isWatched {
  const names = new Set(watched.keys())
  return (key) => names.has(nameOf(key))
}

/**
 * Calls `refetch` repeatedly while `active`, never twice at once, and immediately when the page becomes visible again. With
 * `record` it is called when that record has changed, and on a timer only while there is no connection for reports.
 */
export function useLive(active: boolean, refetch: () => Promise<unknown>, record?: Change): void {
  const latest = useRef(refetch)
  latest.current = refetch
  const name = record ? `${record.kind} ${record.id}` : null
  useEffect(() => {
    if (!active) return
    const isTold = () => name !== null && isLive()
    let timer: ReturnType<typeof setTimeout> | undefined
    let state: 'resting' | 'asking' | 'due' | 'over' = 'resting'
    let notBefore = 0
    /** A change was reported and has not been read yet. */
    let isOwed = false
    // Read through a function, because the value changes during an await.
    const stateNow = () => state
    const ask = async () => {
      timer = undefined
      state = 'asking'
      isOwed = false
      const began = performance.now()
      // Whoever shows the data shows this failure; the next attempt may succeed.
      if (!document.hidden) await latest.current().catch(() => undefined)
      if (stateNow() === 'over') return
      const ended = performance.now()
      notBefore = ended + share * (ended - began)
      const isDue = stateNow() === 'due'
      state = 'resting'
      if (isDue || !isTold()) wait()
    }
    const wait = () => {
      const rest = notBefore - performance.now()
      timer ??= setTimeout(ask, Math.max(isTold() ? gatherMs : everyMs, rest))
    }
    const due = () => {
      isOwed = true
      if (state === 'asking') state = 'due'
      else if (state === 'resting') wait()
    }
    const look = () => {
      if (document.hidden || state !== 'resting') return
      clearTimeout(timer)
      void ask()
    }
    const stops = [
      onLiveState(() => {
        if (!isTold()) due()
      }),
      listenLive((told) => {
        if (!isTold()) return
        if (told === 'missed' || told.some(({ kind, id }) => `${kind} ${id}` === name)) due()
      }),
    ]
    if (name !== null) watched.set(name, (watched.get(name) ?? 0) + 1)
    if (!isTold()) wait()
    document.addEventListener('visibilitychange', look)
    return () => {
      state = 'over'
      clearTimeout(timer)
      for (const stop of stops) stop()
      // No other part of the page was notified: a run that had ended may be running again.
      if (isOwed && isTold()) void latest.current().catch(() => undefined)
      document.removeEventListener('visibilitychange', look)
      if (name === null) return
      const left = (watched.get(name) ?? 1) - 1
      if (left === 0) watched.delete(name)
      else watched.set(name, left)
    }
  }, [active, name])
}
