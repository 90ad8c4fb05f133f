// In charge of processing many items, only a limited number of them at a time.

/** Returns the outcomes in the order of the items; after each item, calls `told` with the number of finished items. */
export async function settleAll<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
  told?: (over: number) => void,
): Promise<PromiseSettledResult<R>[]> {
  const outcomes: PromiseSettledResult<R>[] = []
  const waiting = items.entries()
  let over = 0
  const lane = async (): Promise<void> => {
    // All lanes share one iterator, so each lane takes the next item that no lane has taken yet.
    for (const [index, item] of waiting) {
      const [outcome] = await Promise.allSettled([work(item)])
      outcomes[index] = outcome
      over += 1
      told?.(over)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane))
  return outcomes
}
