// In charge of how many calls a process makes at once: in all, and of each node type. First come, first served.
import type { NodeType } from '../../nodes/node-type.ts'

export type Slots = {
  /** Waits for a free slot; the returned function gives it back. Rejects with the signal's reason once that is aborted. */
  acquire(type: Pick<NodeType, 'type' | 'concurrency'>, signal: AbortSignal): Promise<() => void>
  inUse(): number
}

type Waiting = { type: Pick<NodeType, 'type' | 'concurrency'>; start: () => void }

export function createSlots(total: number): Slots {
  let used = 0
  const usedOf = new Map<string, number>()
  const waiting = new Set<Waiting>()

  const free = ({ type, concurrency }: Waiting['type']) => used < total && (usedOf.get(type) ?? 0) < concurrency
  const take = (type: string, by: number) => {
    used += by
    usedOf.set(type, (usedOf.get(type) ?? 0) + by)
  }
  const next = (): void => {
    for (const one of waiting) {
      if (used >= total) return
      if (!free(one.type)) continue
      waiting.delete(one)
      one.start()
    }
  }

  return {
    inUse: () => used,
    acquire: (type, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const start = (): void => {
          signal.removeEventListener('abort', leave)
          take(type.type, 1)
          let held = true
          resolve(() => {
            if (!held) return
            held = false
            take(type.type, -1)
            next()
          })
        }
        const one: Waiting = { type, start }
        const leave = (): void => {
          waiting.delete(one)
          reject(signal.reason)
        }
        if (free(type)) return start()
        signal.addEventListener('abort', leave, { once: true })
        waiting.add(one)
      }),
  }
}
