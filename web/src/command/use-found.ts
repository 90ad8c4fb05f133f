// In charge of requesting the tasks, graphs, runs and creatives that the command palette shows for a text.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { batchesOf, readHandles } from '../lookup/handles.ts'
import { someRuns } from './found-runs.ts'

/** How many tasks and graphs one search reads. */
export const few = 6
/** Creatives are looked up only if the text has at least this many characters: a shorter text is rarely a whole name. */
const shortestName = 3

const shared = { placeholderData: keepPreviousData, staleTime: 5_000 } as const

export const useTasks = (search: string, enabled: boolean) =>
  useQuery({
    queryKey: ['task-search', search, few],
    queryFn: ({ signal }) => {
      // The service searches task numbers without the `#` that users often type before a number.
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

/** The runs of graphs whose names contain the text; the latest runs if the text is empty. */
export const useRuns = (search: string, enabled: boolean) =>
  useQuery({
    queryKey: ['runs', 'found', someRuns, search],
    queryFn: ({ signal }) =>
      call('listRuns', { query: { limit: someRuns, ...(search === '' ? {} : { search }) }, signal }),
    enabled,
    ...shared,
  })

/** Finds creatives by a text that must be either the whole name of a creative or the id of a campaign in which it was launched. */
export const useCreativesOf = (handle: string, enabled: boolean) =>
  useQuery({
    queryKey: ['lookup', handle],
    queryFn: async ({ signal }) => {
      const [body] = batchesOf(readHandles(handle))
      if (!body) return { handle, creatives: [] }
      const rows = await call('lookupCreatives', { body, signal })
      // A number is looked up as a name and as a campaign id, and may find the same creative by both.
      const byId = new Map(rows.flatMap(({ creatives }) => creatives).map((creative) => [creative.id, creative]))
      return { handle, creatives: [...byId.values()] }
    },
    enabled: enabled && handle.length >= shortestName,
    ...shared,
  })
