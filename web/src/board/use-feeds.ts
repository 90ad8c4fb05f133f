// In charge of the loaded pages of the columns: finding cards in them, and changing them before the service has responded.
import { type Query, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { createInTurn } from '../lib/in-turn.ts'
import type { Card, ColumnName } from '../lib/types.ts'
import { type Board, useBoard } from './board-context.ts'
import { columnShelves, readChangedCards } from './changed-cards.ts'
import { byIdOf, cardsOf, type Feed, withCard, withChanged, withoutCards } from './feed-edits.ts'
import { feedQuery, galleryKey } from './feed-query.ts'
import { foundOrSeen, narrowing, noteChange, noteWritten } from './selected-seen.ts'

/**
 * The mutation key that all writes to the board share. With it, the writes in progress are counted: cards are read again only when
 * the last of several concurrent writes has ended.
 */
export const boardWrite = ['board-write'] as const

/**
 * Sends the writes to one card one after the other: a user may move, delete or restore a card again before the last write of it has
 * been saved.
 */
export const inCardTurn = createInTurn()

export type Feeds = {
  cards: (column: ColumnName) => readonly Card[]
  find: (id: string) => Card | undefined
  /** As `find`, but also for selected cards on pages that are not loaded, unless the search or the filter hides them. */
  findSelected: (id: string) => Card | undefined
  /** Moves cards in the loaded pages before the service has responded; returns a function that undoes the change. */
  move: (cards: readonly Card[], to: ColumnName, change: Partial<Card>) => Promise<() => void>
  /** As `move`. Of selected cards on pages that are not loaded, those that were `written` stay changed when it is undone. */
  change: (ids: readonly string[], change: Partial<Card>) => Promise<(written: readonly string[]) => void>
  /**
   * Called when a write to these tasks has ended: reads the tasks again where they are shown outside of the columns. As soon as no
   * other write is in progress, the cards of all written tasks are read again, or all feeds if one of the writes failed.
   */
  settle: (ids: readonly string[], isWritten: boolean) => void
}

export function useFeeds(): Feeds {
  const client = useQueryClient()
  const board = useBoard()
  return useMemo(() => feedsOf(client, board), [client, board])
}

/**
 * What is to be read again as soon as no write is in progress: the cards of the tasks `ids`, and all pages of the feeds `cancelled`,
 * because a write has cancelled the read of these pages. `isWritten`: none of the writes to the tasks has failed.
 */
type Unsettled = { ids: ReadonlySet<string>; cancelled: readonly QueryKey[]; isWritten: boolean }
const settled: Unsettled = { ids: new Set(), cancelled: [], isWritten: true }
const unsettled = new WeakMap<QueryClient, Unsettled>()

function settleLater(client: QueryClient, more: Partial<Unsettled>): void {
  const open = unsettled.get(client) ?? settled
  const { ids, cancelled, isWritten } = { ...settled, ...more }
  unsettled.set(client, {
    ids: new Set([...open.ids, ...ids]),
    cancelled: [...open.cancelled, ...cancelled],
    isWritten: open.isWritten && isWritten,
  })
}

async function settleAll(client: QueryClient, shelves: ReturnType<typeof columnShelves>): Promise<void> {
  const open = unsettled.get(client)
  if (!open) return
  unsettled.delete(client)
  if (!open.isWritten) return client.invalidateQueries({ queryKey: ['feed'] })
  const mayEdit = () => client.isMutating({ mutationKey: boardWrite }) === 0
  // If another write has begun meanwhile, the cards are not used, and are read again when that write has ended.
  if (!(await readChangedCards(client, shelves, open.ids, mayEdit))) settleLater(client, open)
  else for (const queryKey of open.cancelled) void client.invalidateQueries({ queryKey, exact: true })
  await client.invalidateQueries({ queryKey: galleryKey, refetchType: 'none' })
}

function feedsOf(client: QueryClient, board: Board): Feeds {
  const { columns, paramsOf, sortOf } = board
  const shelves = columnShelves(board)
  const keyOf = (column: ColumnName) => feedQuery(column, paramsOf(column)).queryKey
  const read = (column: ColumnName): Feed | undefined => client.getQueryData(keyOf(column))
  const edit = (column: ColumnName, change: (feed: Feed) => Feed) =>
    client.setQueryData(keyOf(column), (feed: Feed | undefined) => (feed ? change(feed) : feed))
  /**
   * Cancels reads that could return the state before the change, and then changes the loaded pages. If no read has to be cancelled,
   * the pages change before this function returns, so that a dropped card is drawn in its new place in the same frame.
   */
  const ahead = async (apply: () => void): Promise<() => void> => {
    // A read of a column without any loaded page is not cancelled; otherwise the column would be empty until the write has ended.
    const predicate = ({ state }: Query) => state.fetchStatus !== 'idle' && state.data !== undefined
    const reading = client.getQueryCache().findAll({ queryKey: ['feed'], predicate })
    if (reading.length > 0) {
      // These are read again when the write has ended; otherwise changes by others that they would have shown stay unseen. Reads of
      // only a next page are left out, because scrolling starts them again.
      const whole = reading.filter(({ state }) => state.fetchMeta?.fetchMore === undefined)
      settleLater(client, { cancelled: whole.map(({ queryKey }) => queryKey) })
      await client.cancelQueries({ queryKey: ['feed'], predicate })
    }
    const before = columns.map(({ name }) => [name, read(name)] as const)
    apply()
    return () => {
      for (const [name, feed] of before) if (feed) client.setQueryData(keyOf(name), feed)
    }
  }
  const cards = (column: ColumnName) => cardsOf(read(column))
  // By maps, because hundreds of selected cards may be looked for at once.
  const find = (id: string) => {
    for (const { name } of columns) {
      const feed = read(name)
      const card = feed && byIdOf(feed).get(id)
      if (card) return card
    }
    return undefined
  }
  return {
    cards,
    find,
    findSelected: foundOrSeen(find, narrowing(paramsOf('backlog'))),
    move: (moved, to, change) =>
      ahead(() => {
        const written = new Map(moved.map((card) => [card.id, { ...card, ...change }]))
        noteChange([...written.keys()], (card) => written.get(card.id) ?? card)
        const ids = new Set(moved.map(({ id }) => id))
        for (const { name } of columns) edit(name, (feed) => withoutCards(feed, ids))
        for (const card of moved) edit(to, (feed) => withCard(feed, { ...card, ...change }, sortOf(to)))
      }),
    change: async (ids, change) => {
      const forget = noteChange(ids, (card) => ({ ...card, ...change }))
      const undo = await ahead(() => {
        for (const { name } of columns) {
          edit(name, (feed) => ids.reduce((edited, id) => withChanged(edited, id, change), feed))
        }
      })
      return (written) => {
        undo()
        forget(written)
      }
    },
    settle: (ids, isWritten) => {
      for (const id of ids) void client.invalidateQueries({ queryKey: ['task', id] })
      settleLater(client, { ids: new Set(ids), isWritten })
      noteWritten(ids)
      // The write that has just ended is still included in this count.
      if (client.isMutating({ mutationKey: boardWrite }) <= 1) void settleAll(client, shelves)
    },
  }
}
