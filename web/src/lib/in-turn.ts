// In charge of writes to the same thing following one another: a later one never overtakes an earlier one on its way.

export type InTurn = <R>(keys: readonly string[], work: () => Promise<R>) => Promise<R>

/** Begins `work` once all that was begun before for any of the keys is over, however it ended. */
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
