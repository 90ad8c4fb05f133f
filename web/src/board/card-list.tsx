// In charge of showing the cards of a column as a virtual list: only cards in or near the visible area are drawn, the next page is
// read before its cards become visible, and a card that should get the focus is scrolled into view so that it is drawn.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import type { Card } from '../lib/types.ts'
import { mayHaveCover } from './card-cover.tsx'
import { useKeptPlace } from './kept-columns.ts'
import { focusedCard, granted, isFresh, useFocusWish } from './selection.ts'
import { useHeldFocus } from './use-held-focus.ts'

type Props = {
  cards: readonly Card[]
  column: string
  label: string
  /** Reads the next page; null if all pages have been read. */
  more: (() => void) | null
  reading: boolean
  empty: ReactNode
  render: (card: Card) => ReactNode
}

const estimatedHeight = 118
/** The height in pixels that a cover adds to a card: the height of `.card-cover` and of the gap below the cover. */
const coverHeight = 145
const gap = 8
/** The next page is requested when fewer cards than this follow the last card that is drawn, so that users do not have to wait. */
const ahead = 30

export function CardList({ cards, column, label, more, reading, empty, render }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  // Memoized: with a new function the virtual list would measure all cards again, so the function changes only if the cards change.
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
  useKeptPlace({
    cards,
    column,
    scroller,
    isAll: more === null,
    startOf: (index) => virtual.measurementsCache[index]?.start,
  })
  const held = useHeldFocus(cards, column)
  useFocus(cards, column, scroller, (index) => virtual.scrollToIndex(index))
  return (
    <div ref={scroller} className="column-cards" {...held}>
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
  /** The last request that was granted, if cards were about to leave then, and are still here. */
  const moving = useRef<typeof wish>(null)
  useEffect(() => {
    const given = moving.current
    moving.current = null
    // The cards have left. Where they were above, or half above what is visible, the focused card has gone up with them.
    if (!given || !isFresh(given) || focusedCard() !== given.id) return
    const index = cards.findIndex(({ id }) => id === given.id)
    if (index !== -1) scrollTo(index)
    // oxlint-disable-next-line -- as below
  }, [cards])
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
        moving.current = wish.leaving ? wish : null
        granted()
      } else if (left > 0) frame = requestAnimationFrame(() => attempt(left - 1))
    }
    attempt(20)
    return () => cancelAnimationFrame(frame)
    // oxlint-disable-next-line -- scrolling follows the wish and the cards, not the identity of the helper
  }, [wish, cards, column, scroller])
}
