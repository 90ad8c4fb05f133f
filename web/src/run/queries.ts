// In charge of the queries for pages about runs: each query has a key and a function that reads the data.
import type { RunStatus } from '@atelier/contract/enums.ts'
import { mergeRun } from '@atelier/contract/graph/run-merge.ts'
import type { RunStart } from '@atelier/contract/runs.ts'
import type { CallResult, Tagged } from '@atelier/contract/wire/calls.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callTagged } from '../lib/api.ts'
import { gapsSoFar } from '../lib/live-connection.ts'
import type { Source } from './roll-sources.ts'

export type Run = CallResult<'getRun'>
export type RunCard = CallResult<'listRuns'>['items'][number]
export type NodeState = Run['nodes'][string]
export type ItemState = NodeState['items'][string]

export type RunFilter = {
  /** A part of the name of the graph. */
  search?: string
  graph_id?: string
  task_id?: string
  owner_id?: string
  status?: RunStatus
  deleted?: boolean
}

export const runsQuery = (filter: RunFilter) =>
  infiniteQueryOptions({
    queryKey: ['runs', filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call('listRuns', { query: { ...filter, limit: 40, ...(pageParam === '' ? {} : { cursor: pageParam }) }, signal }),
    getNextPageParam: (page) => page.meta.next_cursor ?? undefined,
  })

/**
 * `cursor.since`: the next read asks for changes since this state of the run, which may be older than the data, but never newer.
 * `cursor.gaps`: what `gapsSoFar` returned when the run was read. If the cursor is null, the next read loads the whole run.
 */
export type RunData = Tagged<Run> & { cursor: { since: string; gaps: number } | null }

/**
 * Loads only what has changed in a cached run; or the whole run if none is cached, or if live events may have been missed since it
 * was read. Structural sharing is off, because it would compare every item of the run each time.
 */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['run', id],
    queryFn: async ({ client, queryKey, signal }): Promise<RunData> => {
      const gaps = gapsSoFar()
      const before = client.getQueryData<RunData>(queryKey)
      const held = before?.cursor?.gaps === gaps ? before : null
      const query = held?.cursor ? { since: held.cursor.since } : {}
      const { data, ...told } = await callTagged('getRunChanges', { params: { run_id: id }, query, signal })
      return { ...told, data: mergeRun(held?.data ?? null, data), cursor: { since: data.since, gaps } }
    },
    structuralSharing: false,
  })

export const runHistoryQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['run-history', id],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      call('listRunHistory', {
        params: { run_id: id },
        query: { limit: 30, ...(pageParam === '' ? {} : { cursor: pageParam }) },
      }),
    getNextPageParam: (page) => page.meta.next_cursor ?? undefined,
    staleTime: 0,
  })

/** The takes of a node or item. They are read again when the generation or the status changes, because there may be a new take. */
export const takesQuery = (run: Pick<Run, 'id' | 'generation' | 'nodes'>, { node_id, item }: Source) => {
  const state = run.nodes[node_id]
  const { status } = (item === null ? state : state?.items[item]) ?? { status: 'pending' }
  return queryOptions({
    queryKey: ['takes', run.id, node_id, item, run.generation, status],
    queryFn: ({ signal }) =>
      call('getRunTakes', {
        params: { run_id: run.id, node: node_id },
        query: item === null ? {} : { item },
        signal,
      }),
    // The old takes stay visible while the new ones are loading.
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** What the present generation of the run was planned to cost, and what it has cost. */
export const runCostsQuery = ({ id, updated_at, generation, credits_consumed }: Run) =>
  queryOptions({
    queryKey: ['run-costs', id, updated_at, generation, credits_consumed],
    queryFn: ({ signal }) => call('getRunCosts', { params: { run_id: id }, signal }),
    placeholderData: (held) => held,
  })

/** What a start with this body would do and cost. Both depend on the run's results, so they are read again when the run changes. */
export const planQuery = (run: Pick<Run, 'id' | 'updated_at' | 'generation'>, body: RunStart) =>
  queryOptions({
    queryKey: ['plan', run.id, run.updated_at, run.generation, body],
    queryFn: ({ signal }) => call('planRun', { params: { run_id: run.id }, body, signal }),
    staleTime: 30_000,
    retry: false,
  })

/** What a promotion of the run would write to its graph, which is read again when either changes. `graphTag`: the graph's ETag. */
export const promotePlanQuery = (run: Pick<Run, 'id' | 'updated_at'>, graphTag: string | null) =>
  queryOptions({
    queryKey: ['promote-plan', run.id, run.updated_at, graphTag],
    queryFn: ({ signal }) => call('planPromote', { params: { run_id: run.id }, signal }),
    retry: false,
  })
