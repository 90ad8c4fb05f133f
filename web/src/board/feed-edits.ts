// In charge of what a column shows before the service has responded: cards removed, inserted at their position in the sort order,
// or changed. These are pure edits of the pages that were read; the next read corrects them if they differ from the service.
import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query'
import type { BoardPage, Card } from '../lib/types.ts'
import type { Sort } from './search-params.ts'

export type Feed = InfiniteData<BoardPage>

/**
 * Lists of cards by feed. Feeds are never changed in place, and every key press reads their cards, so the list of thousands of
 * cards is made once for each feed.
 */
const gathered = new WeakMap<Feed, readonly Card[]>()

/** The cards of all pages. A card that moved while pages were read can be on two pages: its first occurrence counts. */
export function cardsOf(feed: Feed | undefined): readonly Card[] {
  if (!feed) return []
  const known = gathered.get(feed)
  if (known) return known
  const seen = new Set<string>()
  const cards = feed.pages.flatMap(({ tasks }) =>
    tasks.filter(({ id }) => {
      const isNew = !seen.has(id)
      if (isNew) seen.add(id)
      return isNew
    }),
  )
  gathered.set(feed, cards)
  return cards
}

const mapped = new WeakMap<Feed, ReadonlyMap<string, Card>>()

function byIdOf(feed: Feed): ReadonlyMap<string, Card> {
  const known = mapped.get(feed) ?? new Map(cardsOf(feed).map((card) => [card.id, card]))
  mapped.set(feed, known)
  return known
}

/** The total number of cards, which the first page states; null if counting took too long. */
export const totalOf = (feed: Feed | undefined): number | null => feed?.pages[0]?.meta.total ?? null

/** The page with the objects of cards that were known before and have not changed, so that these cards are not drawn again. */
export function withKnownCards(page: BoardPage, before: Feed | undefined): BoardPage {
  if (!before) return page
  const known = byIdOf(before)
  return { ...page, tasks: page.tasks.map((card) => replaceEqualDeep(known.get(card.id), card)) }
}

export function withoutCards(feed: Feed, ids: ReadonlySet<string>): Feed {
  const cards = cardsOf(feed)
  const left = cards.filter((card) => !ids.has(card.id))
  if (left.length === cards.length) return feed
  const pages = feed.pages.map((page) =>
    page.tasks.some((card) => ids.has(card.id))
      ? { ...page, tasks: page.tasks.filter((card) => !ids.has(card.id)) }
      : page,
  )
  const edited = { ...feed, pages: withTotal(pages, left.length - cards.length) }
  gathered.set(edited, left)
  return edited
}

/** The feed without the tasks of these ids, except for the given cards, which are put at their positions in the sort order. */
export function withCardsOf(feed: Feed, ids: ReadonlySet<string>, cards: readonly Card[], sort: Sort): Feed {
  const known = byIdOf(feed)
  const arriving = new Set(cards.map(({ id }) => id))
  const left = withoutCards(feed, new Set([...ids].filter((id) => !arriving.has(id))))
  // An unchanged card keeps its object, so that it is not drawn again.
  return cards.reduce((sofar, card) => withCard(sofar, replaceEqualDeep(known.get(card.id), card), sort), left)
}

export function withTotalOf(feed: Feed, total: number | null): Feed {
  const [first, ...others] = feed.pages
  return first ? { ...feed, pages: [{ ...first, meta: { ...first.meta, total } }, ...others] } : feed
}

/** Puts a card at its position in the sort order. If that is past the last page read, the card only counts in the total. */
export function withCard(feed: Feed, card: Card, sort: Sort): Feed {
  const before = withoutCards(feed, new Set([card.id]))
  const at = before.pages.findIndex(({ tasks }) => tasks.some((other) => compareCards(card, other, sort) < 0))
  const last = before.pages.length - 1
  const page = at === -1 && before.pages[last]?.meta.next_cursor === null ? last : at
  const pages = before.pages.map((given, index) =>
    index === page ? { ...given, tasks: [...given.tasks, card].toSorted((a, b) => compareCards(a, b, sort)) } : given,
  )
  return { ...before, pages: withTotal(pages, 1) }
}

export function withChanged(feed: Feed, id: string, change: Partial<Card>): Feed {
  const pages = feed.pages.map((page) =>
    page.tasks.some((card) => card.id === id)
      ? { ...page, tasks: page.tasks.map((card) => (card.id === id ? { ...card, ...change } : card)) }
      : page,
  )
  return { ...feed, pages }
}

function withTotal(pages: BoardPage[], by: number): BoardPage[] {
  return pages.map((page, index) => {
    if (index > 0 || page.meta.total === null) return page
    return { ...page, meta: { ...page.meta, total: Math.max(0, page.meta.total + by) } }
  })
}

/** Compares like the feeds: nulls are last in both directions, and ids break ties in the direction of the sort. */
export function compareCards(a: Card, b: Card, { field, direction }: Sort): number {
  const [x, y] = [sortValue(a, field), sortValue(b, field)]
  if (x === null || y === null) {
    if (x === y) return compare(a.id, b.id) * direction
    return x === null ? 1 : -1
  }
  return (compare(x, y) || compare(a.id, b.id)) * direction
}

function sortValue(card: Card, field: string): string | number | null {
  const value: unknown = Reflect.get(card, field)
  if (typeof value === 'number') return value
  return typeof value === 'string' ? value.toLowerCase() : null
}

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)
