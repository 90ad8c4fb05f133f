// In charge of letting tasks of this process do something one at a time, in the order in which they ask. Pure.

/** Resolves once the caller has the lock. The caller must call the returned function to give the lock back. */
export type Lock = () => Promise<() => void>

export function createLock(): Lock {
  let last = Promise.resolve()
  return async () => {
    const before = last
    const given = Promise.withResolvers<void>()
    last = given.promise
    await before
    return given.resolve
  }
}
