// In charge of the queries for pages about graphs: each query has a key and a function that reads the data.
import type { CallResult } from '@atelier/contract/wire/calls.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, callTagged } from '../lib/api.ts'

export type GraphCard = CallResult<'listGraphs'>['items'][number]
export type Graph = CallResult<'getGraph'>
export type HistoryEntry = CallResult<'listGraphHistory'>['items'][number]

export type GraphFilter = { template?: boolean; search?: string; owner_id?: string; deleted?: boolean }

export const graphsQuery = (filter: GraphFilter) =>
  infiniteQueryOptions({
    queryKey: ['graphs', filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call('listGraphs', {
        query: { ...filter, limit: 30, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: (page) => page.meta.next_cursor ?? undefined,
  })

/** A graph with its revision. A closing editor marks the cached copy as outdated, so that the next editor reads the graph again. */
export const graphQuery = (id: string) =>
  queryOptions({
    queryKey: ['graph', id],
    queryFn: () => callTagged('getGraph', { params: { graph_id: id } }),
    refetchOnWindowFocus: false,
  })

export const nodeTypesQuery = queryOptions({
  queryKey: ['node-types'],
  queryFn: async () => {
    const { items } = await call('listNodeTypes')
    return new Map(items.map((type) => [type.type, type]))
  },
  staleTime: 30 * 60_000,
  structuralSharing: false,
})

export const graphHistoryQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['graph-history', id],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      call('listGraphHistory', {
        params: { graph_id: id },
        query: { limit: 30, ...(pageParam === '' ? {} : { cursor: pageParam }) },
      }),
    getNextPageParam: (page) => page.meta.next_cursor ?? undefined,
    staleTime: 0,
  })
