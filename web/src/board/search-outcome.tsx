// In charge of telling screen readers how many tasks a search or a filter has found, in one message for all columns.
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useBoard } from './board-context.ts'
import { cardsOf, totalOf } from './feed-edits.ts'
import { feedQuery } from './feed-query.ts'
import { outcomeWords } from './outcome-words.ts'

export function SearchOutcome() {
  const { columns, paramsOf, search } = useBoard()
  const client = useQueryClient()
  // Draws the message again when a column has been read.
  useIsFetching({ queryKey: ['feed'] })
  const isSearched = search.q !== undefined || search.filter !== undefined
  const found = columns.flatMap(({ name }) => {
    const feed = client.getQueryData(feedQuery(name, paramsOf(name)).queryKey)
    if (!feed) return []
    const total = totalOf(feed)
    const isWhole = total !== null || feed.pages.at(-1)?.meta.next_cursor === null
    return [{ total: total ?? cardsOf(feed).length, isWhole }]
  })
  return (
    <p className="visually-hidden" role="status">
      {isSearched && found.length === columns.length ? outcomeWords(found) : ''}
    </p>
  )
}
