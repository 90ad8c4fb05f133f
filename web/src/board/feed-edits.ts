// In charge of changing the loaded pages of a column before the service has responded: cards are removed, inserted at their
// position in the sort order, or changed. The next read corrects the pages if they differ from the service's data. Pure.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import { foldText } from '@atelier/contract/fold.ts'
import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query'
import type { BoardPage, Card } from '../lib/types.ts'
import type { Sort } from './search-params.ts'

/**
 * A page as it is loaded. `last`: the last card that the service sent with the page, whether or not that card is still on the page.
 * The page's `next_cursor` stands for the position of this card, so no later page contains a card at or before this position.
 */
type FeedPage = BoardPage & { last: Card | null }
export type Feed = InfiniteData<FeedPage>

/**
 * Caches the list that `cardsOf` returns for a feed, because every key press needs this list of perhaps thousands of cards. The
 * cached list stays right, because a `Feed` object is never changed: each change creates a new object.
 */
const gathered = new WeakMap<Feed, readonly Card[]>()

/** The cards of all pages. A card that moved while pages were being read may be on two pages: only its first occurrence is used. */
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

/** The cards of all pages by their ids. */
export function byIdOf(feed: Feed): ReadonlyMap<string, Card> {
  const known = mapped.get(feed) ?? new Map(cardsOf(feed).map((card) => [card.id, card]))
  mapped.set(feed, known)
  return known
}

/** The total that the service sent with the first page; null if no page is loaded, or if the service needed too long to count. */
export const totalOf = (feed: Feed | undefined): number | null => feed?.pages[0]?.meta.total ?? null

/** Returns `page`, but with the card objects of `before` for unchanged cards, so that React does not draw these cards again. */
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

/** Removes the tasks with these ids from the feed, and then inserts `cards`, each at its position in the sort order. */
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

/** Puts a card at its position in the sort order. If that position is on a page that is not loaded, only the total is increased. */
export function withCard(feed: Feed, card: Card, sort: Sort): Feed {
  const before = withoutCards(feed, new Set([card.id]))
  const at = before.pages.findIndex(
    ({ tasks, last }) =>
      (last !== null && compareCards(card, last, sort) <= 0) ||
      tasks.some((other) => compareCards(card, other, sort) < 0),
  )
  const end = before.pages.length - 1
  const page = at === -1 && before.pages[end]?.meta.next_cursor === null ? end : at
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

function withTotal(pages: FeedPage[], by: number): FeedPage[] {
  return pages.map((page, index) => {
    if (index > 0 || page.meta.total === null) return page
    return { ...page, meta: { ...page.meta, total: Math.max(0, page.meta.total + by) } }
  })
}

/** Compares cards as the service sorts them: nulls come last in both directions; among equal values, `direction` sorts the ids. */
export function compareCards(a: Card, b: Card, { field, direction }: Sort): number {
  const [x, y] = [sortValue(a, field), sortValue(b, field)]
  if (x === null || y === null) {
    if (x === y) return compare(a.id, b.id) * direction
    return x === null ? 1 : -1
  }
  const order = typeof x === 'string' && typeof y === 'string' ? compareTexts(x, y) : compare(x, y)
  return (order || compare(a.id, b.id)) * direction
}

/**
 * The place of each status in the order by which the service sorts; a test holds it against the list in the contract. The list itself
 * would bring the library of the contract's schemas into the first load of the board.
 */
const places: Readonly<Record<TaskStatus, number>> = {
  backlog: 0,
  ready_for_production: 1,
  in_progress: 2,
  tech_check: 3,
  creative_check: 4,
  done: 5,
  archived: 6,
}

/** The folded name of each card that was compared. Folding is slow, and a column with thousands of cards is compared again and again. */
const foldedNames = new WeakMap<Card, string>()

function foldedName(card: Card): string {
  const known = foldedNames.get(card)
  if (known !== undefined) return known
  const folded = foldText(card.name)
  foldedNames.set(card, folded)
  return folded
}

function sortValue(card: Card, field: string): string | number | null {
  if (field === 'status') return places[card.status]
  if (field === 'name') return foldedName(card)
  const value: unknown = Reflect.get(card, field)
  return typeof value === 'number' || typeof value === 'string' ? value : null
}

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Compares texts by code point, as the database of the service does. The operator `<` compares UTF-16 units, and so puts an emoji
 * before characters such as “ﬁ” or “Ａ”, which the service sorts first.
 */
function compareTexts(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}
