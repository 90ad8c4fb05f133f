// In charge of updating the board when other users change tasks: only the cards of the changed tasks are read again.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listenLive } from '../lib/live-connection.ts'
import { useBoard } from './board-context.ts'
import { columnShelves, galleryShelf, readChangedCards } from './changed-cards.ts'
import type { Layout } from './search-params.ts'
import { boardWrite } from './use-feeds.ts'

const gatherMs = 200

export function useLiveBoard(layout: Layout): void {
  const client = useQueryClient()
  const board = useBoard()
  useEffect(() => {
    const shelves = layout === 'columns' ? columnShelves(board) : [galleryShelf(board)]
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReading = false
    let isOver = false
    // False while this user's own writes are in progress: a read could return the state before them, and cards would jump back.
    const mayEdit = () => !isOver && client.isMutating({ mutationKey: boardWrite }) === 0
    const read = async () => {
      timer = undefined
      isReading = true
      const ids = new Set(changed)
      changed.clear()
      const began = performance.now()
      const isDone = mayEdit() && (await readChangedCards(client, shelves, ids, mayEdit))
      if (!isDone) for (const id of ids) changed.add(id)
      isReading = false
      if (changed.size > 0 && !isOver) timer = setTimeout(read, Math.max(gatherMs, performance.now() - began))
    }
    const stop = listenLive((told) => {
      if (told === 'missed') return
      for (const { kind, id } of told) if (kind === 'task') changed.add(id)
      if (changed.size > 0 && !isReading) timer ??= setTimeout(read, gatherMs)
    })
    return () => {
      isOver = true
      stop()
      clearTimeout(timer)
    }
  }, [client, board, layout])
}
