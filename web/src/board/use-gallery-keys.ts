// In charge of the keyboard in the gallery: the arrow keys and h, j, k and l move from tile to tile; the keys for search, filter,
// undo and Escape do the same as on the board with columns.
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { undoLatest } from '../ui/toasts.tsx'
import { openFilter } from './filter-button.tsx'
import { tileAfter } from './gallery-places.ts'
import { meaningOf } from './keys.ts'
import { isTaken, leavesTask } from './use-board-keys.ts'

type Grid = { lanes: number; count: number; focusAt: (at: number) => void }

export function useGalleryKeys({ lanes, count, focusAt }: Grid): void {
  const navigate = useNavigate()
  const leaveTask = () => void navigate({ to: '/', search: (search) => search })
  const onKey = (event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : null
    if (leavesTask(event, target)) return leaveTask()
    if (isTaken(event)) return
    const next = tileAfter(event.key, focusedTile(), lanes, count)
    if (next !== null) {
      event.preventDefault()
      return focusAt(next)
    }
    const acts = {
      search: () => document.querySelector<HTMLInputElement>('#board-search')?.focus(),
      filter: openFilter,
      undo: undoLatest,
      leave: leaveTask,
    }
    const kind = meaningOf(event.key, null, [])?.kind
    if (kind !== 'search' && kind !== 'filter' && kind !== 'undo' && kind !== 'leave') return
    event.preventDefault()
    acts[kind]()
  }
  const latest = useRef(onKey)
  useEffect(() => {
    latest.current = onKey
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function focusedTile(): number | null {
  const at = document.activeElement?.closest('[data-at]')?.getAttribute('data-at')
  return at === null || at === undefined ? null : Number(at)
}
