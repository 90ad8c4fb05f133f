// In charge of finding the row at which a column of the board was left. Pure.
import type { Card } from '../lib/types.ts'

/** The uppermost card that is visible in a column; `hidden`: how many pixels of it, and of the gap above it, are not. */
export type Place = { id: string; index: number; hidden: number }
/**
 * Returns the row at which the list was left: the one of the same card, or the one that is at the card's place if the card has left
 * the column. `unread`: it is on a page that has not been read; null: there are no rows.
 */
export function rowOf(
  { id, index, hidden }: Place,
  cards: readonly Pick<Card, 'id'>[],
  isAll: boolean,
): { index: number; hidden: number } | 'unread' | null {
  const at = cards.findIndex((card) => card.id === id)
  if (at !== -1) return { index: at, hidden }
  if (index >= cards.length && !isAll) return 'unread'
  return cards.length === 0 ? null : { index: Math.min(index, cards.length - 1), hidden: 0 }
}
