// In charge of selecting several cards with the mouse: a click with Shift on the box of a card also does with the cards between it and
// the one before what it does with this card.
import { useEffect } from 'react'
import { useBoard } from './board-context.ts'
import { say, selectedWords } from './said.ts'
import { cardsShown, selectedIds, spreadSelected } from './selection.ts'
import { useFeeds } from './use-feeds.ts'

export function useRangeSelect(): void {
  const { columns } = useBoard()
  const feeds = useFeeds()
  useEffect(() => {
    // On the document, and thus after the box has done its own part.
    const spread = ({ target, shiftKey }: MouseEvent) => {
      if (!shiftKey || !(target instanceof Element) || !target.matches('.card-check')) return
      const id = target.closest('[data-card]')?.getAttribute('data-card')
      const column = columns.find(({ name }) => feeds.cards(name).some((card) => card.id === id))
      if (!column) return
      spreadSelected(feeds.cards(column.name))
      say(selectedWords(cardsShown(selectedIds(), feeds.findSelected).length))
    }
    document.addEventListener('click', spread)
    return () => document.removeEventListener('click', spread)
  }, [columns, feeds])
}
