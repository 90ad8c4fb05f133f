// In charge of storing which cards are selected, and which card should get the focus.
import { createStore, useStore } from '../lib/store.ts'
import type { Card } from '../lib/types.ts'
import { keptNewTask } from './kept-new-task.ts'

const selected = createStore<ReadonlySet<string>>(new Set())

export const selectedIds = (): ReadonlySet<string> => selected.get()
export const useSelected = (): ReadonlySet<string> => useStore(selected, (ids) => ids)
/** Whether any cards are selected. */
export const useAreSelected = (): boolean => useStore(selected, (ids) => ids.size > 0)
export const useIsSelected = (id: string): boolean => useStore(selected, (ids) => ids.has(id))

export type Find = (id: string) => Card | undefined

/** The cards with these ids that are on the board: without those that a search or filter hides, or that somebody has deleted. */
export const cardsShown = (ids: Iterable<string>, find: Find): Card[] =>
  [...ids]
    .map(find)
    .filter((card) => card !== undefined)
    .filter((card) => card.deleted_at === null)

/** The cards that an action on one card is for: this card and, if it is selected, all other selected cards. */
export function withSelected(id: string, find: Find): Card[] {
  const ids = selected.get()
  return cardsShown(ids.has(id) ? new Set([id, ...ids]) : [id], find)
}

/** The card that was selected or deselected last. */
let last: string | null = null
/** The one before it. */
let before: string | null = null

export function toggleSelected(id: string): void {
  const ids = new Set(selected.get())
  if (!ids.delete(id)) ids.add(id)
  selected.set(ids)
  before = last
  last = id
}

/**
 * Makes all cards from the one before to the one that was selected or deselected last as this one. `cards`: those of its column, in
 * their order; does nothing if the one before is not among them.
 */
export function spreadSelected(cards: readonly { id: string }[]): void {
  const places = [last, before].map((id) => cards.findIndex((card) => card.id === id))
  const [from, to] = [Math.min(...places), Math.max(...places)]
  if (last === null || from === -1) return
  const ids = new Set(selected.get())
  const isSelected = ids.has(last)
  for (const { id } of cards.slice(from, to + 1)) {
    if (isSelected) ids.add(id)
    else ids.delete(id)
  }
  selected.set(ids)
}

/** Selects all cards from the one that was selected last to this one. `cards`: those of its column, in their order. */
export function selectTo(id: string, cards: readonly { id: string }[]): void {
  if (!selected.get().has(id)) toggleSelected(id)
  else if (last !== id) {
    before = last
    last = id
  }
  spreadSelected(cards)
}

/** The card that was selected or deselected last, if it is selected. */
export const lastSelected = (): string | null => (last !== null && selected.get().has(last) ? last : null)

export const selectMany = (ids: readonly string[]): void => selected.set(new Set([...selected.get(), ...ids]))

export function clearSelected(): void {
  last = null
  before = null
  if (selected.get().size > 0) selected.set(new Set())
}

export function forgetSelected(gone: readonly string[]): void {
  const ids = new Set([...selected.get()].filter((id) => !gone.includes(id)))
  if (ids.size !== selected.get().size) selected.set(ids)
}

/**
 * A request to focus a card. `at`: the time of the request, in milliseconds of `performance.now`. `leaving`: cards beside it are about
 * to leave the column, and it will move. Each request is a new object, so that the focus can be requested for the same card again.
 */
type FocusWish = { id: string; column: string | null; at: number; leaving: boolean }
const wish = createStore<FocusWish | null>(null)

/**
 * Requests the focus for a card. `column`: the card gets the focus only in this column, because a moved card may still be shown in
 * its old column; null: the card gets the focus in any column.
 */
export const focusCard = (id: string, column: string | null = null, leaving = false): void =>
  wish.set({ id, column, at: performance.now(), leaving })
export const useFocusWish = (): FocusWish | null => useStore(wish, (value) => value)
/** Whether a request is recent enough to be fulfilled: a focus that moves seconds after the request would surprise the user. */
export const isFresh = ({ at }: FocusWish): boolean => performance.now() - at < 4_000
export const granted = (): void => wish.set(null)

/** Focuses the first button in the head of a column, for when no card of the column can have the focus. */
export const focusColumn = (column: string): void =>
  document.querySelector<HTMLElement>(`[data-column="${column}"] .column-tools button`)?.focus()

/** The id of the card that has the focus or contains the focused element; null if there is none. */
export const focusedCard = (): string | null =>
  document.activeElement?.closest('[data-card]')?.getAttribute('data-card') ?? null

/**
 * The name of the column in which the row for adding tasks is open; null if none is open. Undefined until one is opened: then the row
 * is open in which a name was left when the page was loaded again.
 */
const adding = createStore<string | null | undefined>(undefined)
export const useIsAdding = (column: string): boolean =>
  useStore(adding, (value) => (value === undefined ? keptNewTask()?.column : value) === column)
/** Whether the user has opened or closed the row since the page was loaded. */
export const wasAdding = (): boolean => adding.get() !== undefined
export const openAdding = (column: string): void => adding.set(column)
export const closeAdding = (): void => adding.set(null)
