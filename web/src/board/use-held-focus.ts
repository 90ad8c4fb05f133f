// In charge of the focus on a card that leaves its column because somebody else has moved or deleted it. The focus goes along with a
// moved card; of a deleted one, the next card of the column gets it. Otherwise the keyboard would start at the top of the page.
import { type FocusEvent, useLayoutEffect, useRef } from 'react'
import type { Card } from '../lib/types.ts'
import { cardToFocus } from './card-after.ts'
import { focusCard, focusColumn, isFresh, useFocusWish } from './selection.ts'
import { useFeeds } from './use-feeds.ts'

/** Returns the props of the element around the cards of a column. */
export function useHeldFocus(cards: readonly Card[], column: string) {
  const feeds = useFeeds()
  const wish = useFocusWish()
  /** The focused control of a card, and the card's id; null if no card of this column has the focus. */
  const held = useRef<{ control: Element; id: string } | null>(null)
  const before = useRef(cards)
  useLayoutEffect(() => {
    const was = before.current
    before.current = cards
    if (held.current === null || held.current.control.isConnected) return
    const { id } = held.current
    held.current = null
    // The focus is elsewhere by now, or is about to be because of an action of this user.
    if (document.activeElement !== document.body || (wish && isFresh(wish))) return
    // The card is only out of sight, where cards are not drawn.
    if (cards.some((card) => card.id === id)) return
    const next = cardToFocus(was, cards, id, arrivedIn(feeds.find(id)))
    if (next) focusCard(next.id, next.column ?? column)
    else focusColumn(column)
  })
  return {
    onFocus: ({ target }: FocusEvent) => {
      const id = target.closest('[data-card]')?.getAttribute('data-card')
      // Menus of cards are children of the list for React, but are elsewhere in the page.
      held.current = id ? { control: target, id } : null
    },
    onBlur: ({ target }: FocusEvent) => {
      // If the whole window loses the focus, the control has it again when the user comes back.
      if (document.activeElement !== target) held.current = null
    },
  }
}

/** The column in which a card is now, if it can get the focus there: it is not deleted, and the column is not folded. */
function arrivedIn(card: Card | undefined): string | null {
  if (!card || card.deleted_at !== null) return null
  return document.querySelector(`[data-column="${card.status}"]`) ? card.status : null
}
