// In charge of the order of writes to the same thing: a later one is sent only when the earlier one has been answered.

export type InTurn = <R>(keys: readonly string[], work: () => Promise<R>) => Promise<R>

/** Begins `work` when all earlier work for any of the keys has ended, successfully or not. */
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
