// In charge of clearing the selection of cards. The bar with their actions disappears then, and the focus that is in it with it.
import { say, selectedWords } from './said.ts'
import { clearSelected, focusCard, selectedIds } from './selection.ts'
import { useFeeds } from './use-feeds.ts'

/** Returns a function that clears the selection. If the focus is in the bar, the card that was selected last gets it. */
export function useClearSelected(): () => void {
  const feeds = useFeeds()
  return () => {
    // A search or a filter may hide the card that was selected last.
    const last = [...selectedIds()].findLast((id) => feeds.find(id) !== undefined)
    if (last !== undefined && document.activeElement?.closest('.bulk-bar')) focusCard(last)
    clearSelected()
    say(selectedWords(0))
  }
}
