// In charge of how a page waits for what is going on elsewhere: the one place that knows whether it asks or is told.
import type { Change } from '@atelier/contract/wire/events.ts'
import { useEffect, useRef } from 'react'
import { isLive, listenLive, onLiveState } from './live-connection.ts'

/** Once a second while it is being looked at; where an answer takes long, asking takes a fifth of the time at most. */
const everyMs = 1_000
const share = 4
/** So long changes are gathered where the page is told of them. */
const gatherMs = 200

/** Records that a part of the page reads again by itself, and how many such parts there are. */
const watched = new Map<string, number>()

/** Whether something of this key (`['run', id]`) is read again by a part of the page that is told of it. */
export const isWatched = (key: readonly unknown[]): boolean => watched.has(nameOf(key))

const nameOf = ([kind, id]: readonly unknown[]): string => `${kind} ${id}`

/** The same, of what is watched at this moment. */
export function watchedNow(): typeof isWatched {
  const names = new Set(watched.keys())
  return (key) => names.has(nameOf(key))
}

/**
 * Calls `refetch` again and again while `active`, never twice at once, and at once when the page is looked at again. With
 * `record` it is called when that record has changed, and by the clock only while the page is not being told.
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
    /** Something was told that has not been asked for. */
    let isOwed = false
    // Through a function, because it changes while an answer is awaited.
    const stateNow = () => state
    const ask = async () => {
      timer = undefined
      state = 'asking'
      isOwed = false
      const began = performance.now()
      // A failed answer is shown by whoever shows the data; the next one may be there again.
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
      // Nobody else was told of it: what is at rest now may be at work again.
      if (isOwed && isTold()) void latest.current().catch(() => undefined)
      document.removeEventListener('visibilitychange', look)
      if (name === null) return
      const left = (watched.get(name) ?? 1) - 1
      if (left === 0) watched.delete(name)
      else watched.set(name, left)
    }
  }, [active, name])
}
