// In charge of the columns' pages that this page holds: reading them, editing them ahead of the service, setting them right.
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { feedQuery } from '../lib/queries.ts'
import type { Card, ColumnName } from '../lib/types.ts'
import { type Board, useBoard } from './board-context.ts'
import { cardsOf, type Feed, withCard, withChanged, withoutCards } from './feed-edits.ts'

/** Writes to the board share this, so that only the last of several sets the pages right. */
export const boardWrite = ['board-write'] as const

export type Feeds = {
  cards: (column: ColumnName) => readonly Card[]
  find: (id: string) => Card | undefined
  /** Edits the columns before the service has answered; what it returns undoes that. */
  move: (cards: readonly Card[], to: ColumnName, change: Partial<Card>) => Promise<() => void>
  change: (ids: readonly string[], change: Partial<Card>) => Promise<() => void>
  /** Asks the service how it is. */
  settle: () => void
}

export function useFeeds(): Feeds {
  const client = useQueryClient()
  const board = useBoard()
  return useMemo(() => feedsOf(client, board), [client, board])
}

function feedsOf(client: ReturnType<typeof useQueryClient>, { columns, paramsOf, sortOf }: Board): Feeds {
  const keyOf = (column: ColumnName) => feedQuery(column, paramsOf(column)).queryKey
  const read = (column: ColumnName): Feed | undefined => client.getQueryData(keyOf(column))
  const edit = (column: ColumnName, change: (feed: Feed) => Feed) =>
    client.setQueryData(keyOf(column), (feed: Feed | undefined) => (feed ? change(feed) : feed))
  /** Stops reads whose answers are older than the edit, and keeps what there was. */
  const ahead = async (): Promise<() => void> => {
    await client.cancelQueries({ queryKey: ['feed'] })
    const before = columns.map(({ name }) => [name, read(name)] as const)
    return () => {
      for (const [name, feed] of before) if (feed) client.setQueryData(keyOf(name), feed)
    }
  }
  const cards = (column: ColumnName) => cardsOf(read(column))
  return {
    cards,
    find: (id) => columns.flatMap(({ name }) => cards(name)).find((card) => card.id === id),
    move: async (moved, to, change) => {
      const undo = await ahead()
      const ids = new Set(moved.map(({ id }) => id))
      for (const { name } of columns) edit(name, (feed) => withoutCards(feed, ids))
      for (const card of moved) edit(to, (feed) => withCard(feed, { ...card, ...change }, sortOf(to)))
      return undo
    },
    change: async (ids, change) => {
      const undo = await ahead()
      for (const { name } of columns) {
        edit(name, (feed) => ids.reduce((edited, id) => withChanged(edited, id, change), feed))
      }
      return undo
    },
    settle: () => {
      if (client.isMutating({ mutationKey: boardWrite }) > 1) return
      void client.invalidateQueries({ queryKey: ['feed'] })
    },
  }
}
