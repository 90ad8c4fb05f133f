// In charge of reading data again when somebody else changes it: when the service reports a change or, without a connection for
// reports, by polling.
import type { Change } from '@atelier/contract/wire/events.ts'
import { useEffect, useRef } from 'react'
import { isLive, listenLive, onLiveState } from './live-connection.ts'
import { createReading } from './live-reading.ts'

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
export function useLive(active: boolean, refetch: () => Promise<{ isError: boolean }>, record?: Change): void {
  const latest = useRef(refetch)
  latest.current = refetch
  const name = record ? `${record.kind} ${record.id}` : null
  useEffect(() => {
    if (!active) return
    const isTold = () => name !== null && isLive()
    const reading = createReading({ read: () => latest.current(), isTold, isHidden: () => document.hidden })
    const look = () => {
      if (!document.hidden) reading.look()
    }
    const stops = [
      onLiveState(() => {
        if (!isTold()) reading.due()
      }),
      listenLive((told) => {
        if (!isTold()) return
        if (told === 'missed') reading.missed()
        else if (told.some(({ kind, id }) => `${kind} ${id}` === name)) reading.due()
      }),
    ]
    if (name !== null) watched.set(name, (watched.get(name) ?? 0) + 1)
    reading.begin()
    document.addEventListener('visibilitychange', look)
    return () => {
      const isOwed = reading.end()
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
