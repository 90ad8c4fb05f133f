// In charge of selecting all cards of a column that the search and the filter show, also those on pages that are not loaded: they are
// read for that. There is a bound, since each selected card may become a request.
import { taskLimits } from '@atelier/contract/task-limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { BoardPage } from '../lib/types.ts'
import { tell, tellError } from '../ui/toasts.tsx'
import { useBoard } from './board-context.ts'
import { cardsOf, type Feed, totalOf } from './feed-edits.ts'
import { feedQuery, readPage } from './feed-query.ts'
import { say, selectedWords } from './said.ts'
import { allWords, moreWords } from './select-all-words.ts'
import { narrowing, noteShown } from './selected-seen.ts'
import { cardsShown, lastSelected, selectedIds, selectMany } from './selection.ts'
import { useFeeds } from './use-feeds.ts'

/** How many cards of a column are selected at once at most: as many as five bulk changes of the API are for. */
const most = 5 * taskLimits.bulk

type Offer = {
  words: string
  isReading: boolean
  /** Selects the cards; calls `before` just before the offer may end. */
  select: (before: () => void) => Promise<void>
}

/** What is offered for the column of the card that was selected last; null if all of its cards are selected. */
export function useSelectAll(): Offer | null {
  const board = useBoard()
  const feeds = useFeeds()
  const client = useQueryClient()
  const [isReading, setIsReading] = useState(false)
  /** The newest board: what was read for another search or filter is not selected. Null once the bar is gone. */
  const latest = useRef<typeof board | null>(board)
  useEffect(() => {
    latest.current = board
    return () => {
      latest.current = null
    }
  }, [board])
  /** How many cards there were when they were last read to the end, and of which feed: the service may not say how many it has. */
  const [read, setRead] = useState({ of: '', count: most })
  const last = lastSelected()
  const status = last === null ? undefined : feeds.findSelected(last)?.status
  const column = board.columns.find(({ name }) => name === status)
  if (!column || column.name === 'deleted') return null
  const params = board.paramsOf(column.name)
  const { queryKey } = feedQuery(column.name, params)
  const feed: Feed | undefined = client.getQueryData(queryKey)
  const of = JSON.stringify(queryKey)
  const chosen = cardsShown(selectedIds(), feeds.findSelected).filter((card) => card.status === column.name)
  const total = totalOf(feed)
  const isMore = feed?.pages.at(-1)?.meta.next_cursor !== null
  const there = total ?? (isMore ? (read.of === of ? read.count : most) : cardsOf(feed).length)
  const left = Math.min(most, there)
  if (!feed || chosen.length >= left) return null
  const select = async (before: () => void) => {
    setIsReading(true)
    try {
      const { cards, hasMore } = await readAll(feed, (cursor) => readPage(column.name, params, cursor))
      if (latest.current !== board) return
      before()
      setRead({ of, count: hasMore ? most : cards.length })
      noteShown(cards, narrowing(params))
      selectMany(cards.map(({ id }) => id))
      const count = cardsShown(selectedIds(), feeds.findSelected).length
      if (hasMore) tell(moreWords(count, column.label))
      else say(selectedWords(count))
    } catch (error) {
      tellError(error, 'Not selected')
    } finally {
      setIsReading(false)
    }
  }
  return { words: allWords(isMore ? total : left, most, column.label), isReading, select }
}

/** The first `most` cards of a feed: those of its loaded pages, and those of the pages after them, which are read. */
async function readAll(feed: Feed, read: (cursor: string) => Promise<BoardPage>) {
  const cards = new Map(cardsOf(feed).map((card) => [card.id, card]))
  let cursor = feed.pages.at(-1)?.meta.next_cursor ?? null
  while (cursor !== null && cards.size < most) {
    const page = await read(cursor)
    for (const card of page.tasks) cards.set(card.id, card)
    cursor = page.meta.next_cursor
  }
  return { cards: [...cards.values()].slice(0, most), hasMore: cursor !== null || cards.size > most }
}
