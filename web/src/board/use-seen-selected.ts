// In charge of keeping count of the selected cards while pages of the columns come and go: what only the service knows, whether the
// search and the filter show cards on pages that are not loaded, is asked of it.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer, useRef, useState } from 'react'
import { isUnreachable } from '../lib/errors.ts'
import { isNotSignedIn } from '../lib/session.ts'
import { type Failure, tryAgainLater } from '../lib/try-again.ts'
import { useBoard } from './board-context.ts'
import { mostAtOnce, readCards } from './read-cards.ts'
import { narrowing, noteAnswer, noteSelected, unsureCards } from './selected-seen.ts'
import { useFeeds } from './use-feeds.ts'

/** A question that got no answer, about cards under this search and filter. `isOver`: it is time to ask again. */
type Unanswered = Failure & { under: string; isOver: boolean }

export function useSeenSelected(): void {
  const { paramsOf } = useBoard()
  const feeds = useFeeds()
  const client = useQueryClient()
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  const [unanswered, setUnanswered] = useState<Unanswered | null>(null)
  const isAsking = useRef(false)
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ type, query }) => {
        if (type === 'updated' && query.queryKey[0] === 'feed') drawAgain()
      }),
    [client],
  )
  useEffect(() => {
    if (unanswered === null || unanswered.isOver) return
    return tryAgainLater(unanswered, () => setUnanswered({ ...unanswered, isOver: true }))
  }, [unanswered])
  // After each render, and thus before a read of the columns drops the pages on which the cards are.
  useEffect(() => {
    const params = paramsOf('backlog')
    const under = narrowing(params)
    noteSelected(feeds.find, under)
    const asked = unsureCards(under).slice(0, mostAtOnce)
    const isWaiting = unanswered?.under === under && !unanswered.isOver
    if (asked.length === 0 || isAsking.current || isWaiting) return
    isAsking.current = true
    readCards(asked, params)
      .then(
        (shown) => {
          noteAnswer(asked, shown, under)
          setUnanswered(null)
        },
        (error: unknown) => {
          // Where the service has refused to say it, it would again: no action is for cards that may be hidden.
          if (!isUnreachable(error) && !isNotSignedIn(error)) return noteAnswer(asked, [], under)
          setUnanswered((last) => ({ error, failures: (last?.failures ?? 0) + 1, under, isOver: false }))
        },
      )
      .finally(() => {
        isAsking.current = false
        drawAgain()
      })
  })
}
