// In charge of deleting the open task, and of what has the focus once its page is closed: as on the board, the card next to it.
import type { Task } from '@atelier/contract/tasks.ts'
import { cardAfter } from '../board/card-after.ts'
import { focusCard, focusColumn } from '../board/selection.ts'
import { useDelete } from '../board/use-delete.ts'
import { useFeeds } from '../board/use-feeds.ts'
import { cardOf } from './card-of.ts'

/** Returns a function that deletes a task, and returns another one that focuses the next card of its column, or the column's button. */
export function useDeleteOpened(): (task: Task) => () => void {
  const feeds = useFeeds()
  const remove = useDelete()
  return (task) => {
    const { id, status } = task
    // Found now, since the card is not in its column any more when the page is closed.
    const next = cardAfter(feeds.cards(status), new Set([id]))
    remove([cardOf(task)])
    return () => (next ? focusCard(next.id, status) : focusColumn(status))
  }
}
