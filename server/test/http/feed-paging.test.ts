// Facts about paging: each task comes once and in order, even if tasks change meanwhile.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../support/harness.ts'
import {
  everyOrder,
  feedPath,
  ordered,
  pageThrough,
  readSortables,
  type Sortable,
  seedTasks,
} from '../support/paging.ts'

const count = 2_500
let service: Service
let tasks: Sortable[]
beforeAll(async () => {
  service = await startService()
  await seedTasks(service.database, count)
  tasks = await readSortables(service.database)
})
afterAll(() => service.close())

const pageSizes = [97, 71, 89, 53]
const orders = [...everyOrder([null, 'tech_check'])].map((order, index) => ({
  ...order,
  what: `${order.view.status ?? order.view.feed} by ${order.sort.field} ${order.sort.direction}`,
  limit: pageSizes[index % pageSizes.length] ?? 100,
}))

describe('paging through a feed that stands still', () => {
  test.for(orders)('$what, $limit at a time: each task once, in order', async (order) => {
    const { view, sort, limit } = order
    const read = async (cursor: string | null) => (await service.get(feedPath(view, { sort, limit, cursor }))).data
    expect(await pageThrough(read)).toEqual(ordered(tasks, view, sort))
  })
})

test('the seeded tasks are full of nulls and ties, live and deleted', () => {
  const distinct = (field: keyof Sortable['keys']) => new Set(tasks.map(({ keys }) => keys[field])).size
  expect(tasks).toHaveLength(count)
  for (const field of ['name', 'priority', 'deadline_at', 'updated_at', 'deleted_at'] as const) {
    expect(distinct(field)).toBeLessThan(count / 2)
  }
  for (const field of ['priority', 'deadline_at', 'launched_at', 'completed_at', 'creation_points'] as const) {
    const nulls = tasks.filter(({ keys }) => keys[field] === null).length
    expect(nulls).toBeGreaterThan(count / 4)
    expect(nulls).toBeLessThan(count)
  }
})

test('a page says that there is no next one exactly when there is none', async () => {
  const view = { feed: 'board', status: 'done' } as const
  const sort = { field: 'deadline_at', direction: 1 } as const
  const all = ordered(tasks, view, sort)
  const cut = Math.floor(all.length / 4)
  for (const take of [cut, cut, cut]) expect(take).toBeLessThanOrEqual(100)
  let cursor: string | null = null
  let seen = 0
  while (seen < all.length) {
    const limit: number = Math.min(cut, all.length - seen)
    const { data } = await service.get(feedPath(view, { sort, limit, cursor }))
    expect(data.tasks).toHaveLength(limit)
    seen += limit
    cursor = data.meta.next_cursor
    expect(cursor === null).toBe(seen === all.length)
  }
})

test('people and products of a page are those its cards name', async () => {
  const { data } = await service.get(feedPath({ feed: 'deleted', status: null }, { limit: 100 }))
  const named = (member: 'assignee_id' | 'task_owner_id' | 'product_id') =>
    data.tasks.map((card: Record<string, string | null>) => card[member]).filter((id: string | null) => id !== null)
  expect(Object.keys(data.included.users).toSorted()).toEqual(
    [...new Set([...named('assignee_id'), ...named('task_owner_id')])].toSorted(),
  )
  expect(Object.keys(data.included.products).toSorted()).toEqual([...new Set(named('product_id'))].toSorted())
  expect(data.included.creatives).toEqual({})
  expect(data.included.task_creatives).toEqual([])
})

test('without parameters a page has 24 tasks, newest first, the deleted ones by their deletion', async () => {
  for (const [feed, field] of [
    ['board', 'created_at'],
    ['deleted', 'deleted_at'],
  ] as const) {
    const { data } = await service.get(`/api/v1/tasks/${feed}`)
    const expected = ordered(tasks, { feed, status: null }, { field, direction: -1 }).slice(0, 24)
    expect(data.tasks.map(({ id }: { id: string }) => id)).toEqual(expected)
  }
})

test('the total is told on the first page only', async () => {
  const view = { feed: 'board', status: null } as const
  const first = await service.get(feedPath(view, { limit: 5 }))
  expect(first.data.meta.total).toBe(ordered(tasks, view, { field: 'number', direction: 1 }).length)
  const second = await service.get(feedPath(view, { limit: 5, cursor: first.data.meta.next_cursor }))
  expect(second.data.meta.total).toBeNull()
})

describe('paging while others write', () => {
  // This group runs last, because it changes the tasks.
  test.for([
    { view: { feed: 'board', status: null }, sort: { field: 'created_at', direction: -1 } },
    { view: { feed: 'board', status: null }, sort: { field: 'number', direction: 1 } },
    { view: { feed: 'deleted', status: null }, sort: { field: 'deleted_at', direction: -1 } },
    { view: { feed: 'deleted', status: null }, sort: { field: 'created_at', direction: 1 } },
  ] as const)(
    '$view.feed by $sort.field $sort.direction: what nobody touches comes once and in order',
    async (order) => {
      const { view, sort } = order
      const before = ordered(await readSortables(service.database), view, sort)
      const touched = new Set<string>()
      const taken = (at: number): string => {
        const id = before[at % before.length] ?? ''
        touched.add(id)
        return id
      }
      const ids = await pageThrough(
        async (cursor) => (await service.get(feedPath(view, { sort, limit: 61, cursor }))).data,
        async (page) => {
          // Some tasks change in members that the sort does not use; tasks of other pages leave the list, and tasks enter it.
          const changed = [taken(page * 61 + 30), taken(page * 61 - 30)]
          await service.rows(
            'update tasks set priority = 3, updated_at = now_ms(), revision = revision + 1 where id = any($1::uuid[])',
            [changed],
          )
          const [leaving, comingBack] = [taken(page * 61 + 90), taken(page * 7)]
          if (view.feed === 'board') {
            await service.del(`/api/v1/tasks/${leaving}`)
            await service.del(`/api/v1/tasks/${comingBack}`)
            await service.post('/api/v1/tasks', { name: `Arrived after page ${page}` })
          } else {
            await service.post(`/api/v1/tasks/${leaving}/restore`)
            await service.post(`/api/v1/tasks/${comingBack}/restore`)
            const { data } = await service.post('/api/v1/tasks', { name: `Came and went after page ${page}` })
            await service.del(`/api/v1/tasks/${data.id}`)
          }
        },
      )
      expect(new Set(ids).size).toBe(ids.length)
      expect(touched.size).toBeGreaterThan(20)
      const untouched = new Set(before.filter((id) => !touched.has(id)))
      expect(ids.filter((id) => untouched.has(id))).toEqual([...untouched])
    },
  )
})
