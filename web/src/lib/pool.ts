// In charge of doing the same to many things, with a limit on how many are done at once.

/** Returns the outcome of each thing, in their order; calls `told` after each with the number that are finished. */
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
    // All lanes share one iterator: each takes the next thing from it.
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
