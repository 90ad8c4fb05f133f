// In charge of what the board tells screen readers: how many tasks a search or a filter has found, in one message for all columns, and
// acts that no other message tells. All of it stands in one place, so that never two messages are spoken at once.
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBoard } from './board-context.ts'
import { cardsOf, totalOf } from './feed-edits.ts'
import { feedQuery } from './feed-query.ts'
import { outcomeWords } from './outcome-words.ts'
import { useSaid } from './said.ts'

export function SearchOutcome() {
  const { columns, paramsOf, search } = useBoard()
  const client = useQueryClient()
  // Draws the message again when a column has been read.
  useIsFetching({ queryKey: ['feed'] })
  const said = useSaid()
  const asked = JSON.stringify([search.q, search.filter])
  // What was said before this search is over. What is said after it stays, though the act changes how many tasks match.
  const [since, setSince] = useState({ asked, count: said.count })
  if (since.asked !== asked) setSince({ asked, count: said.count })
  const isSearched = search.q !== undefined || search.filter !== undefined
  const found = columns.flatMap(({ name }) => {
    const feed = client.getQueryData(feedQuery(name, paramsOf(name)).queryKey)
    if (!feed) return []
    const total = totalOf(feed)
    const isWhole = total !== null || feed.pages.at(-1)?.meta.next_cursor === null
    return [{ total: total ?? cardsOf(feed).length, isWhole }]
  })
  const outcome = isSearched && found.length === columns.length ? outcomeWords(found) : ''
  const isSaid = said.count > since.count
  return (
    <p className="visually-hidden" role="status">
      <span key={isSaid ? said.count : 'outcome'}>{isSaid ? said.words : outcome}</span>
    </p>
  )
}
