// In charge of keeping count of the selected cards while pages of the columns come and go: what only the service knows, whether the
// search and the filter show cards on pages that are not loaded, is asked of it.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer, useRef } from 'react'
import { call } from '../lib/api.ts'
import { settleAll } from '../lib/pool.ts'
import type { Card } from '../lib/types.ts'
import { useBoard } from './board-context.ts'
import { type FeedParams, withRule } from './search-params.ts'
import { narrowing, noteAnswer, noteSelected, unsureCards } from './selected-seen.ts'
import { useFeeds } from './use-feeds.ts'

/** How many cards one request asks for: as many as a page may have. */
const most = 100

export function useSeenSelected(): void {
  const { paramsOf } = useBoard()
  const feeds = useFeeds()
  const client = useQueryClient()
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ type, query }) => {
        if (type === 'updated' && query.queryKey[0] === 'feed') drawAgain()
      }),
    [client],
  )
  const isAsking = useRef(false)
  // After each render, and thus before a read of the columns drops the pages on which the cards are.
  useEffect(() => {
    const params = paramsOf('backlog')
    const under = narrowing(params)
    noteSelected(feeds.find, under)
    const asked = unsureCards(under).slice(0, most)
    if (asked.length === 0 || isAsking.current) return
    isAsking.current = true
    // Without an answer, no action is for cards that may be hidden.
    void settleAll([asked], 1, (cards) => readShown(cards, params)).then(([outcome]) => {
      isAsking.current = false
      noteAnswer(asked, outcome?.status === 'fulfilled' ? outcome.value : [], under)
      drawAgain()
    })
  })
}

/** Reads those of the cards that this search and filter show, as they are now. */
async function readShown(cards: readonly Card[], params: FeedParams): Promise<readonly Card[]> {
  const value = cards.flatMap(({ number }) => number ?? [])
  const query = { ...withRule(params, { field: 'number', operator: 'in', value }), limit: most }
  return (await call('tasksBoard', { query })).tasks
}
