// In charge of the focus when cards with the focus leave their columns: without it, the keyboard would start at the top of the page.
import { useBoard } from './board-context.ts'
import { cardAfter } from './card-after.ts'
import { focusCard, focusColumn } from './selection.ts'
import { useFeeds } from './use-feeds.ts'

/**
 * Returns a function to be called just before these cards leave: it focuses the next card of their column, or a button of the column
 * if no card is left there.
 */
export function useFocusAfter(): (leaving: readonly { id: string }[]) => void {
  const feeds = useFeeds()
  const { columns } = useBoard()
  return (leaving) => {
    const gone = new Set(leaving.map(({ id }) => id))
    const left = columns.filter(({ name }) => feeds.cards(name).some(({ id }) => gone.has(id)))
    for (const { name } of left) {
      const next = cardAfter(feeds.cards(name), gone)
      if (next) return focusCard(next.id, name, true)
    }
    if (left[0]) focusColumn(left[0].name)
  }
}
