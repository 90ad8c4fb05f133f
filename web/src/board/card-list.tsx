// In charge of the cards of a column as a virtual list: only the visible cards are drawn, the next page is read before its
// cards become visible, and a card that should get the focus is scrolled into view first.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import type { Card } from '../lib/types.ts'
import { mayHaveCover } from './card-cover.tsx'
import { granted, isFresh, useFocusWish } from './selection.ts'

type Props = {
  cards: readonly Card[]
  column: string
  label: string
  /** Reads the next page; null if there is none. */
  more: (() => void) | null
  reading: boolean
  empty: ReactNode
  render: (card: Card) => ReactNode
}

const estimatedHeight = 118
/** The height of `.card-cover` and of the gap below it. */
const coverHeight = 145
const gap = 8
/** How many cards before the end the next page is requested, so that it arrives before a person has scrolled to the end. */
const ahead = 30

export function CardList({ cards, column, label, more, reading, empty, render }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  // The function stays the same while the cards stay the same: with a new function the list would measure all cards again.
  const keyOf = useCallback((index: number) => cards[index]?.id ?? index, [cards])
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimatedHeight + (mayHaveCover(cards[index]) ? coverHeight : 0),
    getItemKey: keyOf,
    gap,
    overscan: 5,
    paddingEnd: 12,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (more && !reading && last >= cards.length - ahead) more()
  }, [more, reading, last, cards.length])
  useFocus(cards, column, scroller, (index) => virtual.scrollToIndex(index))
  return (
    <div ref={scroller} className="column-cards">
      {cards.length === 0 ? empty : null}
      <ul aria-label={label} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const card = cards[item.index]
          return card ? (
            <li
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              aria-setsize={more ? -1 : cards.length}
              aria-posinset={item.index + 1}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {render(card)}
            </li>
          ) : null
        })}
      </ul>
    </div>
  )
}

/** Scrolls to the card that should get the focus, and focuses it as soon as it is drawn. */
function useFocus(
  cards: readonly Card[],
  column: string,
  scroller: React.RefObject<HTMLDivElement | null>,
  scrollTo: (index: number) => void,
): void {
  const wish = useFocusWish()
  useEffect(() => {
    const index =
      wish && isFresh(wish) && (wish.column ?? column) === column ? cards.findIndex(({ id }) => id === wish.id) : -1
    if (!wish || index === -1) return
    scrollTo(index)
    let frame = 0
    const attempt = (left: number) => {
      const target = scroller.current?.querySelector<HTMLElement>(`[data-card="${wish.id}"] .card-name`)
      if (target) {
        target.focus({ preventScroll: true })
        target.closest('.column')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        granted()
      } else if (left > 0) frame = requestAnimationFrame(() => attempt(left - 1))
    }
    attempt(20)
    return () => cancelAnimationFrame(frame)
    // oxlint-disable-next-line -- scrolling follows the wish and the cards, not the identity of the helper
  }, [wish, cards, column, scroller])
}
