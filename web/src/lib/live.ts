// In charge of reading data again when somebody else changes it: when the service reports a change or, without a connection for
// reports, by polling.
import type { Change } from '@atelier/contract/wire/events.ts'
import { useEffect, useRef } from 'react'
import { isLive, listenLive, onLiveState } from './live-connection.ts'

/** Without reports, a visible page polls every `everyMs`, but pauses after each read for at least `share` times its duration. */
const everyMs = 1_000
const share = 4
/** How long reported changes are collected, in ms, before the data is read again. */
const gatherMs = 200

/** The records that `useLive` keeps up to date at present, each with the number of components that use it for the record. */
const watched = new Map<string, number>()

/** Whether `useLive` keeps the query with this key, such as `['run', id]`, up to date, so that nothing else has to read it. */
export const isWatched = (key: readonly unknown[]): boolean => watched.has(nameOf(key))

const nameOf = ([kind, id]: readonly unknown[]): string => `${kind} ${id}`

/** Returns `isWatched` for this moment: the function does not take later changes of `watched` into account. */
export function watchedNow(): typeof isWatched {
  const names = new Set(watched.keys())
  return (key) => names.has(nameOf(key))
}

/**
 * Calls `refetch` repeatedly while `active`: never twice at the same time, and at once when the page becomes visible again. With a
 * `record`, `refetch` is called when a change of this record is reported, and by a timer only while there is no connection.
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
    /** Whether a change was reported that has not been read yet. */
    let isOwed = false
    // A function, because TypeScript does not expect that `state` changes during an `await`.
    const stateNow = () => state
    const ask = async () => {
      timer = undefined
      state = 'asking'
      isOwed = false
      const began = performance.now()
      // A failure is shown by the component that shows the data; the next attempt may succeed.
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
      // `keepQueriesLive` has left the reported change to this hook, so the data is read even though the hook ends: for example,
      // the hook ends because a run has ended, but the change may be that the run was started again.
      if (isOwed && isTold()) void latest.current().catch(() => undefined)
      document.removeEventListener('visibilitychange', look)
      if (name === null) return
      const left = (watched.get(name) ?? 1) - 1
      if (left === 0) watched.delete(name)
      else watched.set(name, left)
    }
  }, [active, name])
}
