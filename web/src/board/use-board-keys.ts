// In charge of the board's keyboard shortcuts: this file performs the action of each key; `keys.ts` decides what a key means.
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Card, ColumnName } from '../lib/types.ts'
import { isForPage } from '../ui/page-keys.ts'
import { undoLatest } from '../ui/toasts.tsx'
import { useBoard } from './board-context.ts'
import { isDragging } from './dragging.ts'
import { openFilter } from './filter-button.tsx'
import { type KeyMeaning, meaningOf, type Place } from './keys.ts'
import { say, selectedWords } from './said.ts'
import {
  cardsShown,
  focusCard,
  focusedCard,
  openAdding,
  selectedIds,
  selectTo,
  toggleSelected,
  withSelected,
} from './selection.ts'
import { useClearSelected } from './use-clear-selected.ts'
import { useDelete } from './use-delete.ts'
import { type Feeds, useFeeds } from './use-feeds.ts'
import { useFocusAfter } from './use-focus-after.ts'

export function useBoardKeys(folded: ReadonlySet<ColumnName>): void {
  const feeds = useFeeds()
  const { columns } = useBoard()
  const actions = useActions()
  const leaveTask = useLeaveTask()
  const onKey = (event: KeyboardEvent) => {
    // During a drag, all keys belong to the drag: Escape only puts the card back, and arrow keys only carry it. The list of keyboard
    // shortcuts, which another listener would open, must not cover the board.
    if (isDragging() && event.key === '?') event.preventDefault()
    if (isDragging()) return
    const target = event.target instanceof Element ? event.target : null
    if (leavesTask(event, target)) return leaveTask()
    if (isTaken(event)) return
    const shown = columns.filter(({ name }) => !folded.has(name)).map(({ name }) => name)
    const id = focusedCard()
    const at = placeOf(id, shown, feeds)
    const lengths = shown.map((name) => feeds.cards(name).length)
    const meaning = meaningOf(event.key, at, lengths)
    if (!meaning) return
    event.preventDefault()
    if (meaning.kind === 'go') focusAt(meaning.to, shown, feeds)
    else actions[meaning.kind](id === null ? undefined : feeds.find(id), shown[at?.column ?? 0])
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

/** Whether a key is not for the board. In the open task, only the key that undoes is for the board. */
export const isTaken = (event: KeyboardEvent): boolean =>
  !isForPage(event) ||
  (!undoes(event) && event.target instanceof Element && event.target.closest('.task-panel') !== null)

const undoes = ({ key }: KeyboardEvent): boolean => meaningOf(key, null, [])?.kind === 'undo'

/** Whether the key is Escape and closes the open task. In a text field of the task, Escape leaves the field and closes nothing. */
export const leavesTask = (event: KeyboardEvent, target: Element | null): boolean =>
  event.key === 'Escape' &&
  !event.defaultPrevented &&
  (target?.matches('.task-panel, .task-panel :not(input, textarea, select)') ?? false)

function useLeaveTask(): () => void {
  const navigate = useNavigate()
  return () => void navigate({ to: '/', search: (search) => search })
}

type Action = (card: Card | undefined, column: ColumnName | undefined) => void

/** The actions of the keys. Those inside `writing` do nothing if the user may not write, or if the focused card is deleted. */
function useActions(): Record<Exclude<KeyMeaning['kind'], 'go'>, Action> {
  const { canWrite } = useBoard()
  const feeds = useFeeds()
  const remove = useDelete()
  const focusAfter = useFocusAfter()
  const leaveTask = useLeaveTask()
  const clear = useClearSelected()
  const saySelected = () => say(selectedWords(cardsShown(selectedIds(), feeds.findSelected).length))
  const writing =
    (action: Action): Action =>
    (card, column) => {
      if (canWrite && card?.deleted_at !== undefined && card.deleted_at !== null) return
      if (canWrite) action(card, column)
    }
  return {
    search: () => document.querySelector<HTMLInputElement>('#board-search')?.focus(),
    filter: openFilter,
    undo: undoLatest,
    new: writing((_card, column) => {
      if (column && column !== 'deleted') openAdding(column)
    }),
    select: writing((card) => {
      if (!card) return
      toggleSelected(card.id)
      saySelected()
    }),
    selectTo: writing((card, column) => {
      if (!card || !column) return
      selectTo(card.id, feeds.cards(column))
      saySelected()
    }),
    bar: () => document.querySelector<HTMLElement>('.bulk-bar [aria-haspopup]')?.focus(),
    move: (card) => {
      if (card) document.querySelector<HTMLElement>(`[data-card="${card.id}"] .card-menu`)?.click()
    },
    delete: writing((card) => {
      if (!card) return
      const cards = withSelected(card.id, feeds.findSelected)
      focusAfter(cards)
      remove(cards)
    }),
    leave: () => {
      if (selectedIds().size > 0) clear()
      else leaveTask()
    },
  }
}

function focusAt({ column, row }: Place, shown: readonly ColumnName[], feeds: Feeds): void {
  const name = shown[column]
  const next = name ? feeds.cards(name)[row] : undefined
  if (next) focusCard(next.id)
}

function placeOf(id: string | null, shown: readonly ColumnName[], feeds: Feeds): Place | null {
  for (const [column, name] of shown.entries()) {
    const row = feeds.cards(name).findIndex((card) => card.id === id)
    if (row !== -1) return { column, row }
  }
  return null
}
