// In charge of small values that many parts of a page show, such as covers: all values that become visible at the same time are
// read with one request. A value is kept until it expires; if it is still shown then, it is read again.
import { useCallback, useSyncExternalStore } from 'react'

type Source<T> = {
  /** The largest number of ids that one request may contain. */
  most: number
  ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>
  /** Whether a value can still be used. If not, the value is read again. */
  holds: (value: T) => boolean
}

export type Gathered<T> = {
  /** Returns the value for an id; undefined until the value has been read. A value is read only while a component uses it. */
  useOne: (id: string) => T | undefined
  /**
   * To be called when the values of all ids for which `which` returns true have changed. The shown ones among these values are read
   * again, the others are removed.
   */
  forget: (which: (id: string) => boolean) => void
}

const renewMs = 60_000

export function createGathered<T>({ most, ask, holds }: Source<T>): Gathered<T> {
  const values = new Map<string, T>()
  const listeners = new Map<string, Set<() => void>>()
  const wanted = new Set<string>()
  /** Ids whose values have changed since they were read. */
  const outdated = new Set<string>()
  let isAsking = false
  let timer: ReturnType<typeof setInterval> | undefined

  const askAll = async () => {
    while (wanted.size > 0) {
      const ids = [...wanted].slice(0, most)
      for (const id of ids) wanted.delete(id)
      // If a request fails, the values of its ids stay as they were. As long as these values are shown, `renew` requests the
      // missing, expired and outdated ones again.
      const found = await ask(ids).catch(() => new Map<string, T>())
      for (const [id, value] of found) {
        values.set(id, value)
        if (!wanted.has(id)) outdated.delete(id)
      }
      for (const id of found.keys()) for (const listener of listeners.get(id) ?? []) listener()
    }
    isAsking = false
  }
  const want = (id: string) => {
    wanted.add(id)
    if (isAsking) return
    isAsking = true
    // Waits until the code that is executing now has ended; by then, `wanted` contains all ids that became visible together.
    queueMicrotask(() => void askAll())
  }
  const wantUnlessHeld = (id: string) => {
    const value = values.get(id)
    if (value === undefined || outdated.has(id) || !holds(value)) want(id)
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
        if (!listeners.has(id)) {
          values.delete(id)
          continue
        }
        outdated.add(id)
        want(id)
      }
    },
  }
}

/** Whether a file's URL remains valid for more than two minutes. */
export const isGood = ({ expires_at }: { expires_at: string }): boolean =>
  Date.parse(expires_at) - Date.now() > marginMs
const marginMs = 120_000
