// In charge of which items of a node the view of one item leads to, and of how it counts them. Pure.

/** The filter of the grid of items. `open`: the items that are not done. */
export type Show = 'all' | 'failed' | 'open'

/** `before` and `next`: the indices of the neighbouring items, null at an end of the list. */
export type ItemSteps = { before: number | null; next: number | null; words: string }

const filterWords = { failed: 'failed', open: 'not done' } as const

/** The steps from the item `index` through the items `among`, which are the indices that the filter `show` left. */
export function stepsFrom(index: number, among: readonly number[], show: Show): ItemSteps {
  const at = among.indexOf(index)
  const place = `${at + 1} of ${among.length}`
  return {
    before: among[at - 1] ?? null,
    next: among[at + 1] ?? null,
    // In a filtered list, the place of an item is not its number, so both are named.
    words: show === 'all' ? place : `Item ${index + 1}, ${place} ${filterWords[show]}`,
  }
}
