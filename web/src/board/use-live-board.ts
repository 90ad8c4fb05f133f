// In charge of updating the board when other users change tasks: only the cards of the changed tasks are read again.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { listenLive } from '../lib/live-connection.ts'
import { useBoard } from './board-context.ts'
import { columnShelves, galleryShelf, readChangedCards } from './changed-cards.ts'
import type { Layout } from './search-params.ts'
import { boardWrite } from './use-feeds.ts'

const gatherMs = 200

export function useLiveBoard(layout: Layout): void {
  const client = useQueryClient()
  const board = useBoard()
  /** The newest board. A reference, because a new board must not end the effect below, which holds changes that are not read yet. */
  const latest = useRef(board)
  useEffect(() => {
    latest.current = board
  }, [board])
  useEffect(() => {
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReading = false
    let isOver = false
    const read = async () => {
      timer = undefined
      isReading = true
      const ids = new Set(changed)
      changed.clear()
      const began = performance.now()
      const of = latest.current
      const shelves = layout === 'columns' ? columnShelves(of) : [galleryShelf(of)]
      // False while this user's own writes are in progress: a read could return the state before them, and cards would jump back.
      // False too if the board is another one by now, because its feeds may be others.
      const mayEdit = () => !isOver && latest.current === of && client.isMutating({ mutationKey: boardWrite }) === 0
      let isDone = false
      try {
        isDone = mayEdit() && (await readChangedCards(client, shelves, ids, mayEdit))
      } finally {
        if (!isDone) for (const id of ids) changed.add(id)
        isReading = false
        if (changed.size > 0 && !isOver) timer = setTimeout(read, Math.max(gatherMs, performance.now() - began))
      }
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
  }, [client, layout])
}
