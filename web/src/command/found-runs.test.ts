// Facts about the runs that the command palette offers.
import { expect, test } from 'vitest'
import type { RunCard } from '../lib/types.ts'
import { foundRuns } from './found-runs.ts'

const run = (id: string): RunCard => ({
  ...{ id, graph_id: 'g', graph_name: 'Hooks', status: 'succeeded', error: null, task_id: null, pinned_task_id: null },
  ...{ owner_id: 'o', generation: 1, credits_consumed: 0, credits_total: 0, edited: false, copied_from: null },
  ...{ exported_at: null, exported_creatives: 0, created_at: '', updated_at: '', started_at: null, finished_at: null },
  deleted_at: null,
})
const page = (ids: string, hasMore = false) => ({
  items: [...ids].map(run),
  meta: { next_cursor: hasMore ? 'more' : null },
})

test('runs that were found come first, and those that are among the latest too come once', () => {
  const { runs } = foundRuns(page('ca'), page('abc'))
  expect(runs.map(({ id, isFound }) => [id, isFound])).toEqual([
    ['c', true],
    ['a', true],
    ['b', false],
  ])
  expect(foundRuns(undefined, undefined)).toEqual({ runs: [], runsNote: null })
})

test('it is said that more runs have the name, or that only the latest were looked at for their states', () => {
  const note = (found: ReturnType<typeof page>, latest: ReturnType<typeof page>) => foundRuns(found, latest).runsNote
  expect(note(page('a', true), page('a', true))).toBe('The first 50; type to narrow')
  expect(note(page(''), page('a', true))).toBe('Of the latest 50')
  expect(note(page('a'), page('a', true))).toBe(null)
  expect(note(page(''), page('a'))).toBe(null)
})
