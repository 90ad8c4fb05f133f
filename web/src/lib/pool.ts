// In charge of doing the same to many things, only so many of them at a time.

/** What became of each, in their order; `told` hears how many are over, after each. */
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
    // The lanes share one iterator: each takes what is next.
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
