// Facts about search, filter, sort, column and cursor combined: every page has exactly the tasks that a brute-force search finds.
import { valuesOf } from '@atelier/contract/vocabulary.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FeedRequest, readFeed } from '../../src/features/tasks/feed/feed.ts'
import { parseFilter } from '../../src/features/tasks/feed/filter-parse.ts'
import { readTotal } from '../../src/features/tasks/feed/totals.ts'
import { anyFilter, anyTerm, drawTasks, expectedIds, insertTasks, type ModelTask } from '../support/feed-model.ts'
import { type Service, share, startService } from '../support/harness.ts'
import { feedPath, readSortables, type Sortable } from '../support/paging.ts'

const tasks: ModelTask[] = drawTasks(400)
let service: Service
let sortables: Sortable[]
beforeAll(async () => {
  service = await startService()
  await insertTasks(service.database, tasks)
  sortables = await readSortables(service.database)
})
afterAll(() => service.close())

const views = [
  ...([null, null, null, 'backlog', 'archived'] as const).map((status) => ({ feed: 'board' as const, status })),
  { feed: 'deleted' as const, status: null },
]
const asked = fc.record({
  view: fc.constantFrom(...views),
  sort: fc.record({
    field: fc.constantFrom('created_at', 'number', 'name', 'status', 'priority', 'deadline_at'),
    direction: fc.constantFrom(1, -1),
  }),
  search: fc.option(anyTerm(tasks), { freq: 4 }),
  filter: fc.option(anyFilter, { freq: 3 }),
  limit: fc.integer({ min: 1, max: 60 }),
})
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never

const requestOf = ({ view, sort, search, filter, limit }: Asked): FeedRequest => {
  const parsed = filter && parseFilter(JSON.stringify(filter.rule), valuesOf(service.config.vocabulary))
  if (parsed && 'errors' in parsed) throw new Error(JSON.stringify(parsed.errors))
  return { ...view, sort, search, limit, filter: parsed?.group ?? null, after: null, retentionSeconds: 86_400 }
}

const idsOf = (tasksText: string): string[] => JSON.parse(tasksText).map(({ id }: ModelTask) => id)

test('all pages of whatever is asked, walked a few rows or to the end, are what brute force gives', async () => {
  const check = async (one: Asked, most: number): Promise<void> => {
    const ids: string[] = []
    let request = requestOf(one)
    for (;;) {
      const page = await readFeed(service.database, request, most)
      ids.push(...idsOf(page.tasks))
      if (page.last === null || ids.length > 400) break
      request = { ...request, after: page.last }
      if (ids.length > request.limit * 6) request.limit = 100
    }
    expect(ids).toEqual(expectedIds(tasks, sortables, one))
  }
  const most = fc.constantFrom(1, 2, 9, 40, 150, 2_000)
  await fc.assert(fc.asyncProperty(asked, most, check), { numRuns: share(150), seed: 3 })
})

test('a total is the number of what brute force finds, or not told', async () => {
  const check = async (one: Asked): Promise<void> => {
    const total = await readTotal(service.database, requestOf(one))
    expect([expectedIds(tasks, sortables, one).length, null]).toContain(total)
  }
  await fc.assert(fc.asyncProperty(asked, check), { numRuns: share(60), seed: 4 })
})

test('the routes give the same', async () => {
  const check = async (one: Asked): Promise<void> => {
    const { view, sort, search, limit, filter } = one
    const expected = expectedIds(tasks, sortables, one)
    const path = (cursor: string | null) => feedPath(view, { sort, limit, cursor, search, query: filter?.rule })
    const { data: first } = await service.get(path(null))
    const second = first.meta.next_cursor === null ? null : (await service.get(path(first.meta.next_cursor))).data
    const seen = [...first.tasks, ...(second?.tasks ?? [])].map(({ id }: ModelTask) => id)
    expect(seen).toEqual(expected.slice(0, 2 * limit))
    expect([expected.length, null]).toContain(first.meta.total)
  }
  await fc.assert(fc.asyncProperty(asked, check), { numRuns: share(50), seed: 5 })
})
