// In charge of reading a column of the board, or the gallery, page by page.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import type { ColumnName } from '../lib/types.ts'
import { type Feed, withKnownCards } from './feed-edits.ts'
import { type FeedParams, withPictures } from './search-params.ts'

/** The first page is small, so that a column appears soon; further pages are larger, because a user who scrolls may scroll far. */
const pageSizes = { first: 50, next: 100 } as const

/** The query for one column of the board: the tasks with one status, or the deleted tasks. */
export const feedQuery = (column: ColumnName, params: FeedParams) => pagesOf(column, params)

/** The query for the gallery: tasks of any status, not deleted, with at least one finished creative, which is often a picture. */
export const galleryQuery = (params: FeedParams) => pagesOf('gallery', withPictures(params))
export const galleryKey = ['feed', 'gallery'] as const

const pagesOf = (column: ColumnName | 'gallery', params: FeedParams) =>
  infiniteQueryOptions({
    queryKey: ['feed', column, params],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal, client, queryKey }) => {
      const page = await fetchFeed(column, params, pageParam, signal)
      const before: Feed | undefined = client.getQueryData(queryKey)
      return { ...withKnownCards(page, before), last: page.tasks.at(-1) ?? null }
    },
    getNextPageParam: (page) => page.meta.next_cursor ?? undefined,
    staleTime: 5_000,
    // Off, because it would compare thousands of cards each time a page arrives, and block the browser.
    structuralSharing: false,
  })

/** Reads the page of a column after `cursor`. */
export const readPage = (column: ColumnName, params: FeedParams, cursor: string) =>
  fetchFeed(column, params, cursor, new AbortController().signal)

function fetchFeed(column: ColumnName | 'gallery', params: FeedParams, cursor: string, signal: AbortSignal) {
  const query = cursor === '' ? { ...params, limit: pageSizes.first } : { ...params, limit: pageSizes.next, cursor }
  if (column === 'deleted') return call('tasksDeleted', { query, signal })
  return call('tasksBoard', { query: column === 'gallery' ? query : { ...query, status: column }, signal })
}
