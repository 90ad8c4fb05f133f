// In charge of sending writes to the same record one after another: each write waits for the response to the previous one.

export type InTurn = <R>(keys: readonly string[], work: () => Promise<R>) => Promise<R>

/** Creates a function that starts `work` when all earlier work that shares a key with it has ended, successfully or not. */
export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (keys, work) => {
    const before = keys.map((key) => last.get(key))
    const result = Promise.allSettled(before).then(work)
    for (const key of keys) last.set(key, result)
    const forget = () => {
      for (const key of keys) if (last.get(key) === result) last.delete(key)
    }
    result.then(forget, forget)
    return result
  }
}
