// In charge of a queue whose items belong to owners, for example to runs. Owners take turns, and the items of one owner keep
// their order, so that an owner with many items does not delay the others. Pure.

export type FairQueue<T> = {
  readonly size: number
  /**
   * Adds an item of an owner at the end. `again`: the item has been taken before, for example for a first attempt that failed,
   * so it comes before those items of the owner that are new.
   */
  add(owner: string, item: T, again?: boolean): void
  remove(owner: string, item: T): void
  /**
   * Removes and returns the first item of the next owner for whom `may` returns true, and moves that owner to the end of the
   * order of owners. Returns undefined if there is no such owner.
   */
  take(may?: (owner: string) => boolean): T | undefined
}

type Own<T> = { again: Set<T>; first: Set<T> }

export function createFairQueue<T>(): FairQueue<T> {
  // A map keeps its insertion order: the first owner in it has the next turn.
  const owners = new Map<string, Own<T>>()
  let size = 0
  return {
    get size() {
      return size
    },
    add(owner, item, again = false) {
      const own = owners.get(owner) ?? { again: new Set(), first: new Set() }
      owners.set(owner, own)
      own[again ? 'again' : 'first'].add(item)
      size += 1
    },
    remove(owner, item) {
      const own = owners.get(owner)
      if (!own || !(own.again.delete(item) || own.first.delete(item))) return
      size -= 1
      if (own.again.size + own.first.size === 0) owners.delete(owner)
    },
    take(may = () => true) {
      for (const [owner, own] of owners) {
        if (!may(owner)) continue
        for (const items of [own.again, own.first]) {
          for (const item of items) {
            items.delete(item)
            size -= 1
            owners.delete(owner)
            if (own.again.size + own.first.size > 0) owners.set(owner, own)
            return item
          }
        }
      }
      return undefined
    },
  }
}
