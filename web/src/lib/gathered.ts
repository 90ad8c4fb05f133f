// In charge of small values that many parts of a page show: one request reads all that come into sight together. A value is
// kept until it expires, and read again while it is shown.
import { useCallback, useSyncExternalStore } from 'react'

type Source<T> = {
  /** The largest number of ids in one request. */
  most: number
  ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>
  /** Whether a value does not expire soon. */
  holds: (value: T) => boolean
}

export type Gathered<T> = {
  /** The value of an id, undefined until it has been read. Only values on the screen are read. */
  useOne: (id: string) => T | undefined
  /** Tells that values have changed: those that are shown are read again, the others are forgotten. */
  forget: (which: (id: string) => boolean) => void
}

const renewMs = 60_000

export function createGathered<T>({ most, ask, holds }: Source<T>): Gathered<T> {
  const values = new Map<string, T>()
  const listeners = new Map<string, Set<() => void>>()
  const wanted = new Set<string>()
  let isAsking = false
  let timer: ReturnType<typeof setInterval> | undefined

  const askAll = async () => {
    while (wanted.size > 0) {
      const ids = [...wanted].slice(0, most)
      for (const id of ids) wanted.delete(id)
      // After a failure nothing is shown; the value is read again when it next comes into sight.
      const found = await ask(ids).catch(() => new Map<string, T>())
      for (const [id, value] of found) values.set(id, value)
      for (const id of found.keys()) for (const listener of listeners.get(id) ?? []) listener()
    }
    isAsking = false
  }
  const want = (id: string) => {
    wanted.add(id)
    if (isAsking) return
    isAsking = true
    // By the end of this turn of the event loop, everything that came into sight has registered.
    queueMicrotask(() => void askAll())
  }
  const wantUnlessHeld = (id: string) => {
    const value = values.get(id)
    if (value === undefined || !holds(value)) want(id)
  }
  const renew = () => {
    for (const id of listeners.keys()) wantUnlessHeld(id)
  }
  const listen = (id: string, listener: () => void) => {
    const ones = listeners.get(id) ?? new Set()
    listeners.set(id, ones.add(listener))
    timer ??= setInterval(renew, renewMs)
    wantUnlessHeld(id)
    return () => {
      ones.delete(listener)
      if (ones.size === 0) listeners.delete(id)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
  return {
    useOne: (id) => {
      const subscribe = useCallback((listener: () => void) => listen(id, listener), [id])
      return useSyncExternalStore(subscribe, () => values.get(id))
    },
    forget: (which) => {
      for (const id of [...values.keys()].filter(which)) {
        if (listeners.has(id)) want(id)
        else values.delete(id)
      }
    },
  }
}

/** Whether an address does not expire soon. */
export const isGood = ({ expires_at }: { expires_at: string }): boolean =>
  Date.parse(expires_at) - Date.now() > marginMs
const marginMs = 120_000
