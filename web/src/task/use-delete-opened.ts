// In charge of deleting the open task, and of what has the focus once its page is closed: as on the board, the card next to it.
import type { Task } from '@atelier/contract/tasks.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useBoard } from '../board/board-context.ts'
import { cardAfter } from '../board/card-after.ts'
import { cardsOf, type Feed } from '../board/feed-edits.ts'
import { galleryQuery } from '../board/feed-query.ts'
import { useLayout } from '../board/layout.ts'
import { focusCard, focusColumn } from '../board/selection.ts'
import { useDelete } from '../board/use-delete.ts'
import { useFeeds } from '../board/use-feeds.ts'
import { cardOf } from './card-of.ts'

/**
 * Returns a function that deletes a task, and returns another one that focuses the next card of its column, or the column's button;
 * in the gallery, which has no columns, the next card of the gallery, or the page.
 */
export function useDeleteOpened(): (task: Task) => () => void {
  const feeds = useFeeds()
  const remove = useDelete()
  const client = useQueryClient()
  const { paramsOf } = useBoard()
  const isGallery = useLayout().layout === 'gallery'
  return (task) => {
    const { id, status } = task
    // Found now, since the card is not in its column any more when the page is closed.
    const gallery: Feed | undefined = client.getQueryData(galleryQuery(paramsOf('backlog')).queryKey)
    const next = cardAfter(isGallery ? cardsOf(gallery) : feeds.cards(status), new Set([id]))
    remove([cardOf(task)])
    return () => {
      if (next) focusCard(next.id, isGallery ? null : status)
      else if (isGallery) document.getElementById('main')?.focus()
      else focusColumn(status)
    }
  }
}
