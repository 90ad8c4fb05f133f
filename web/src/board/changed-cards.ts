// In charge of reading only the cards of changed tasks, and of moving these cards to their present positions in the loaded pages.
// Reading all pages again would mean fifty requests for a column in which somebody has scrolled through thousands of cards.
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { hasCode } from '../lib/errors.ts'
import type { Card } from '../lib/types.ts'
import { taskOf } from '../lib/types.ts'
import type { Board } from './board-context.ts'
import { cardsOf, type Feed, totalOf, withCardsOf, withTotalOf } from './feed-edits.ts'
import { feedQuery, galleryQuery } from './feed-query.ts'
import { type FeedParams, type Sort, withPictures, withRule } from './search-params.ts'

/**
 * One feed, that is, the cards of a column or of the gallery, read page by page. `key`: the key of the loaded pages in the query
 * cache; the other members decide which cards belong on these pages, and in which order.
 */
type Shelf = {
  key: QueryKey
  params: FeedParams
  sort: Sort
  from: 'tasksBoard' | 'tasksDeleted'
  /** The status that all cards of the feed have, or null if the feed contains cards with several statuses. */
  status: Card['status'] | null
}

export const columnShelves = ({ columns, paramsOf, sortOf }: Board): Shelf[] =>
  columns.map(({ name }) => {
    const params = paramsOf(name)
    const of = { key: feedQuery(name, params).queryKey, params, sort: sortOf(name) }
    return name === 'deleted'
      ? { ...of, from: 'tasksDeleted', status: null }
      : { ...of, from: 'tasksBoard', status: name }
  })

export function galleryShelf({ paramsOf, sortOf }: Board): Shelf {
  const params = paramsOf('backlog')
  const key = galleryQuery(params).queryKey
  return { key, params: withPictures(params), sort: sortOf('backlog'), from: 'tasksBoard', status: null }
}

/**
 * If more tasks than this have changed, all pages are read again, because that is faster. `unknown` is the limit for changed tasks
 * that are on no loaded page, and `known` the limit for all changed tasks together.
 */
const many = { known: 100, unknown: 8 } as const

/**
 * Reads the cards of the tasks `ids` and puts them into the loaded pages. If `mayEdit` returns false after the reading, because the
 * user is changing cards too or has left the board, the cards that were read are not used, and the result is false.
 */
export async function readChangedCards(
  client: QueryClient,
  shelves: readonly Shelf[],
  ids: ReadonlySet<string>,
  mayEdit: () => boolean,
): Promise<boolean> {
  const all = async () => {
    for (const { key } of shelves) void client.invalidateQueries({ queryKey: key, exact: true })
    return true
  }
  // The first read of a feed may still be under way and return the state before the change. So this waits until such reads end.
  await Promise.all(reading(client, shelves, false).map(({ promise }) => promise?.catch(() => undefined)))
  const held = numbersOf(shelves.flatMap(({ key }) => cardsOf(feedOf(client, key))))
  const unknown = [...ids].filter((id) => !held.has(id))
  if (ids.size > many.known || unknown.length > many.unknown) return all()
  const found = await answersFor(shelves, ids, held, unknown).catch(() => null)
  if (!mayEdit()) return false
  if (!found) return all()
  const again = reading(client, shelves, true)
  for (const { queryKey } of again) await client.cancelQueries({ queryKey, exact: true })
  if (!mayEdit()) return false
  /** The feeds whose totals may include a task twice. */
  const unsure: Shelf[] = []
  for (const shelf of shelves) {
    const here = found.cards.filter((card) => belongs(card, shelf))
    client.setQueryData(shelf.key, (feed: Feed | undefined) => feed && withCardsOf(feed, ids, here, shelf.sort))
    const shown = cardsOf(feedOf(client, shelf.key))
    // A card on no loaded page was added to the total. But it may be included already, if the total was read after the change.
    const isUnsure = here.some(({ id }) => !held.has(id) && !shown.some((card) => card.id === id))
    if (isUnsure) unsure.push(shelf)
  }
  for (const { queryKey, isNextPage } of again)
    if (!isNextPage) void client.invalidateQueries({ queryKey, exact: true })
  // A changed task may have left the feed from a page that is not loaded. The total would then be too high, so it is read again.
  const isPartly = shelves.some(({ key }) => feedOf(client, key)?.pages.at(-1)?.meta.next_cursor !== null)
  await readTotals(client, found.hasOld && isPartly ? shelves : unsure, mayEdit)
  return true
}

const numbersOf = (cards: readonly Card[]): ReadonlyMap<string, number> =>
  new Map(cards.flatMap(({ id, number }) => (number === null ? [] : [[id, number] as const])))

const feedOf = (client: QueryClient, key: QueryKey): Feed | undefined => client.getQueryData(key)

const belongs = (card: Card, { from, status }: Shelf): boolean =>
  (card.deleted_at === null) === (from === 'tasksBoard') && (status === null || card.status === status)

function reading(client: QueryClient, shelves: readonly Shelf[], isHeld: boolean) {
  const cache = client.getQueryCache()
  return shelves.flatMap(({ key }) => {
    const query: Query | undefined = cache.find({ queryKey: key, exact: true })
    if (!query || query.state.fetchStatus === 'idle' || (query.state.data !== undefined) !== isHeld) return []
    const isNextPage = query.state.fetchMeta?.fetchMore !== undefined
    return [{ queryKey: key, promise: query.promise, isNextPage }]
  })
}

/**
 * Reads the cards of the tasks `ids`. `held`: the task number of each task on a loaded page, by id; `unknown`: the `ids` not in
 * `held`. `hasOld`: at least one `unknown` task was changed after its creation, so it may not be new, and the totals of the feeds
 * may already include it.
 */
async function answersFor(
  shelves: readonly Shelf[],
  ids: ReadonlySet<string>,
  held: ReadonlyMap<string, number>,
  unknown: readonly string[],
): Promise<{ cards: Card[]; hasOld: boolean }> {
  const others = await Promise.all(unknown.map(numberOf))
  const known = [...ids].flatMap((id) => held.get(id) ?? [])
  let numbers = [...known, ...others.flatMap((one) => one?.number ?? [])]
  const cards: Card[] = []
  for (const from of ['tasksBoard', 'tasksDeleted'] as const) {
    const shelf = shelves.find((one) => one.from === from)
    if (!shelf || numbers.length === 0) continue
    const params = withRule(shelf.params, { field: 'number', operator: 'in', value: numbers })
    const { tasks } = await call(from, { query: { ...params, limit: numbers.length } })
    cards.push(...tasks)
    const there = new Set(tasks.map(({ number }) => number))
    numbers = numbers.filter((number) => !there.has(number))
  }
  return { cards, hasOld: others.some((one) => one !== null && !one.isNew) }
}

async function numberOf(id: string): Promise<{ number: number; isNew: boolean } | null> {
  try {
    const answer = await call('getTask', { params: { task_id: id } })
    const { number, created_at, updated_at } = taskOf(answer)
    if (number === null) throw new Error(`The task ${id} has no number to be found by.`)
    return { number, isNew: created_at === updated_at }
  } catch (error) {
    if (hasCode(error, 'not_found')) return null
    throw error
  }
}

/** The feeds whose totals could not be read during a write of the user, and are read by the next call of `readTotals`. */
const postponed = new WeakMap<QueryClient, readonly Shelf[]>()

/**
 * Reads the totals of the `shelves` again, except of those of which no total is known. A total that was counted before a write of
 * the user must not replace one in which that write is included. So if a write is in progress when a response arrives, the total
 * is read again when the cards of that write are read, after its end; if a write has begun and ended meanwhile, at once.
 */
async function readTotals(client: QueryClient, shelves: readonly Shelf[], mayEdit: () => boolean): Promise<void> {
  const shown = (key: QueryKey) => totalOf(feedOf(client, key))
  const counted = [...shelves, ...(postponed.get(client) ?? [])].filter(({ key }) => shown(key) !== null)
  postponed.delete(client)
  const read = async (shelf: Shelf): Promise<void> => {
    const { key, params, from, status } = shelf
    const before = shown(key)
    const query = { ...params, limit: 1, ...(status === null ? {} : { status }) }
    const answer = await call(from, { query }).catch(() => null)
    if (!mayEdit()) postponed.set(client, [...(postponed.get(client) ?? []), shelf])
    // The total may be wrong now. All pages are read again, because such a read is repeated if it fails.
    else if (!answer) void client.invalidateQueries({ queryKey: key, exact: true })
    else if (shown(key) !== before) await read(shelf)
    else client.setQueryData(key, (feed: Feed | undefined) => feed && withTotalOf(feed, answer.meta.total))
  }
  await Promise.all(counted.map(read))
}
