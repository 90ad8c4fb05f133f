// In charge of the queries of the pages of graphs: for each its key, and how it is read.
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

/**
 * A graph with the revision that a change is based on. The editor must not start from an old copy, so closing the editor marks
 * the copy as outdated.
 */
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
