// In charge of what the service finds for the typed text: tasks, graphs, runs, creatives.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { batchesOf, readHandles } from '../lookup/handles.ts'

const few = 6
/** Runs have no names: the latest ones are read and searched here. */
const lastRuns = 50
/** Names of creatives have at least this length. */
const shortestName = 3

const shared = { placeholderData: keepPreviousData, staleTime: 5_000 } as const

export const useTasks = (search: string, enabled: boolean) =>
  useQuery({
    queryKey: ['task-search', search, few],
    queryFn: ({ signal }) => {
      // The service finds a task number without the # that people write before it.
      const asked = search.replace(/^#(?=\d)/, '')
      return call('tasksBoard', { query: { limit: few, ...(asked === '' ? {} : { search: asked }) }, signal })
    },
    enabled,
    ...shared,
  })

export const useGraphs = (search: string, enabled: boolean) =>
  useQuery({
    queryKey: ['graphs', 'picked', few, search],
    queryFn: ({ signal }) =>
      call('listGraphs', { query: { limit: few, ...(search === '' ? {} : { search }) }, signal }),
    enabled,
    ...shared,
  })

export const useRuns = (enabled: boolean) =>
  useQuery({
    queryKey: ['runs', 'last', lastRuns],
    queryFn: ({ signal }) => call('listRuns', { query: { limit: lastRuns }, signal }),
    enabled,
    ...shared,
  })

/** The creatives with exactly this name, or launched under this campaign id. */
export const useCreativesOf = (handle: string, enabled: boolean) =>
  useQuery({
    queryKey: ['lookup', handle],
    queryFn: async ({ signal }) => {
      const [body] = batchesOf(readHandles(handle))
      if (!body) return { handle, creatives: [] }
      const rows = await call('lookupCreatives', { body, signal })
      return { handle, creatives: rows.flatMap(({ creatives }) => creatives) }
    },
    enabled: enabled && handle.length >= shortestName,
    ...shared,
  })
