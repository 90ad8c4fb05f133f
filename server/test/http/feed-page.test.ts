// Facts about the pages of the feeds: their shape, size and order, the included records, and how the schema describes them.
import { taskStatuses } from '@atelier/contract/enums.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers } from '../support/make.ts'
import { faultsIn, fieldsOf } from '../support/wire-tables.ts'

let service: Service
let make: ReturnType<typeof makers>
/** Thirty deleted tasks and thirty live ones in the backlog; no other task exists when a test begins. */
let deleted: Body[]
let live: Body[]
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  const some = (count: number) => Promise.all(Array.from({ length: count }, () => make.task()))
  const condemned = await some(30)
  deleted = await Promise.all(condemned.map(({ id }) => make.deleted(`/api/v1/tasks/${id}`)))
  live = await some(30)
})
afterEach(() => service.rows('delete from tasks where not id = any($1)', [idsOf([...deleted, ...live])]))
afterAll(() => service.close())

const page = (feed: string, query = ''): Promise<Body> => make.read(`/api/v1/tasks/${feed}${query}`)
const idsOf = (tasks: Body[]): string[] => tasks.map(({ id }) => id)

test('a page has the shape of the contract, in both feeds', async () => {
  for (const feed of ['board', 'deleted']) {
    const whole = await page(feed, '?limit=100')
    expect(faultsIn('TasksBoardPage', whole)).toEqual([])
    expect(Object.keys(whole)).toEqual(['tasks', 'included', 'meta'])
  }
})

test('the cards of the Deleted feed have the members of those on the board', async () => {
  const [onBoard, inDeleted] = [await page('board'), await page('deleted')]
  expect(Object.keys(inDeleted.tasks[0])).toEqual(Object.keys(onBoard.tasks[0]))
})

test('a page has 24 cards unless another limit is asked', async () => {
  for (const feed of ['board', 'deleted']) {
    expect((await page(feed)).tasks).toHaveLength(24)
    expect((await page(feed, '?limit=1')).tasks).toHaveLength(1)
    expect((await page(feed, '?limit=25')).tasks).toHaveLength(25)
    expect((await page(feed, '?limit=100')).tasks).toHaveLength(30)
  }
})

test('a limit is an integer from 1 to 100', async () => {
  for (const [limit, type] of [
    ['0', 'greater_than_equal'],
    ['-1', 'greater_than_equal'],
    ['101', 'less_than_equal'],
    ['1.5', 'int_from_float'],
    ['ten', 'int_parsing'],
    ['', 'int_parsing'],
  ]) {
    const { status, body } = await service.get(`/api/v1/tasks/deleted?limit=${limit}`)
    expect(status, limit).toBe(422)
    expect(body.detail).toHaveLength(1)
    expect(body.detail[0], limit).toMatchObject({ loc: ['query', 'limit'], input: limit })
    if (limit !== '1.5') expect(body.detail[0].type, limit).toBe(type)
  }
})

test('the Deleted feed is newest first by when a task was deleted', async () => {
  const { tasks } = await page('deleted', '?limit=100')
  const dates = tasks.map(({ deleted_at }: Body) => deleted_at)
  expect(dates).toEqual(dates.toSorted().toReversed())
  expect(idsOf(tasks).toSorted()).toEqual(idsOf(deleted).toSorted())
  const again = await make.task()
  await make.deleted(`/api/v1/tasks/${again.id}`)
  expect((await page('deleted')).tasks[0].id).toBe(again.id)
})

test('the board is newest first by when a task was made, and knows no deleted task', async () => {
  const { tasks } = await page('board', '?limit=100')
  const dates = tasks.map(({ created_at }: Body) => created_at)
  expect(dates).toEqual(dates.toSorted().toReversed())
  expect(idsOf(tasks).toSorted()).toEqual(idsOf(live).toSorted())
})

test('pages walked by next_cursor hold every card once; the last has none', async () => {
  for (const [feed, all] of [
    ['board', live],
    ['deleted', deleted],
  ] as const) {
    const whole = idsOf((await page(feed, '?limit=100')).tasks)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { tasks, meta } = await page(feed, `?limit=7${cursor === null ? '' : `&cursor=${cursor}`}`)
      seen.push(...idsOf(tasks))
      cursor = meta.next_cursor
    } while (cursor !== null)
    expect(seen).toEqual(whole)
    expect(seen).toHaveLength(all.length)
  }
})

test('a page that ends exactly with the feed is the last', async () => {
  expect((await page('deleted', '?limit=30')).meta.next_cursor).toBeNull()
  expect((await page('deleted', '?limit=29')).meta.next_cursor).toEqual(expect.any(String))
})

test('total is on the first page only', async () => {
  for (const feed of ['board', 'deleted']) {
    const first = await page(feed, '?limit=10')
    expect(first.meta.total).toBe(30)
    const second = await page(feed, `?limit=10&cursor=${first.meta.next_cursor}`)
    expect(second.meta).toMatchObject({ total: null, next_cursor: expect.any(String) })
    const third = await page(feed, `?limit=10&cursor=${second.meta.next_cursor}`)
    expect(third.meta).toEqual({ total: null, next_cursor: null })
  }
})

test('a page includes the users and products its cards name, each once, and no others', async () => {
  const { task, product, person } = await make.whole()
  const other = await make.whole()
  for (const feed of ['board', 'deleted']) {
    const path = `?limit=100&search=${task.number}`
    const { included, tasks } = await page(feed, path)
    expect(idsOf(tasks)).toEqual([task.id])
    expect(Object.keys(included.users).toSorted()).toEqual([person.id, service.owner.id].toSorted())
    expect(included.users[person.id]).toEqual({ id: person.id, name: 'A writer', email: null, image_url: null })
    expect(included.products).toEqual({ [product.id]: { id: product.id, name: product.name } })
    await make.deleted(`/api/v1/tasks/${task.id}`)
  }
  const both = await page('board', `?limit=100&search=${other.task.number}`)
  expect(Object.keys(both.included.products)).toEqual([other.product.id])
})

test('creatives and task_creatives are empty in feeds, also where cards have lineage and creatives', async () => {
  const { task } = await make.whole()
  await make.creative(task.id)
  for (const feed of ['board', 'deleted']) {
    const { included } = await page(feed, '?limit=100')
    expect([included.creatives, included.task_creatives]).toEqual([{}, []])
    if (feed === 'board') await make.deleted(`/api/v1/tasks/${task.id}`)
  }
})

test('the meta of a page is next_cursor and total, and no schema', async () => {
  const { meta } = await page('deleted')
  expect(Object.keys(meta)).toEqual(fieldsOf('TaskBoardMeta').map(({ name }) => name))
})

test('a column is asked by its status, in the board only', async () => {
  const task = await make.task({ status: 'tech_check' })
  const column = await page('board', '?status=tech_check')
  expect(idsOf(column.tasks)).toEqual([task.id])
  expect(column.meta).toEqual({ next_cursor: null, total: 1 })
  expect((await page('board', '?status=archived')).tasks).toEqual([])
  expect(faults(await service.get('/api/v1/tasks/board?status=deleted'))).toEqual(['enum query.status'])
  expect(faults(await service.get('/api/v1/tasks/deleted?status=done'))).toEqual(['extra_forbidden query.status'])
})

test('a deleted card keeps the status its task would be restored to', async () => {
  for (const status of taskStatuses) {
    const task = await make.task({ status })
    await make.deleted(`/api/v1/tasks/${task.id}`)
    expect((await page('deleted')).tasks[0]).toMatchObject({ id: task.id, status })
    expect((await make.restored(`/api/v1/tasks/${task.id}`)).status).toBe(status)
  }
})

test('a task is in the Deleted feed to the end of its window, and not a moment longer', async () => {
  const task = await make.task()
  await make.deleted(`/api/v1/tasks/${task.id}`)
  const age = (interval: string) =>
    service.rows(`update tasks set deleted_at = now_ms() - interval '${interval}' where id = $1`, [task.id])
  await age('29 days 23 hours 59 minutes')
  expect(idsOf((await page('deleted', '?limit=100')).tasks)).toContain(task.id)
  expect((await page('deleted')).meta.total).toBe(31)
  await age('30 days')
  expect(idsOf((await page('deleted', '?limit=100')).tasks)).not.toContain(task.id)
  expect((await page('deleted')).meta.total).toBe(30)
})

test('the columns are the seven statuses in order, with group, label and total; Deleted is not among them', async () => {
  const columns: Body[] = await make.read('/api/v1/tasks/columns')
  expect(columns.map(({ status, group, total }) => [status, group, total])).toEqual([
    ['backlog', 'todo', 30],
    ['ready_for_production', 'todo', 0],
    ['in_progress', 'in_progress', 0],
    ['tech_check', 'in_progress', 0],
    ['creative_check', 'in_progress', 0],
    ['done', 'complete', 0],
    ['archived', 'complete', 0],
  ])
  for (const { label } of columns) expect(label).toMatch(/^[A-Z][a-z ]+$/)
})

test('the schema operation carries the retention window, the automation timeout and the statuses in order', async () => {
  const schema = await make.read('/api/v1/tasks/schema')
  expect(schema).toMatchObject({ retention_window: 'P30D', automation_run_timeout: 'PT15M' })
  expect(schema.statuses.map(({ value }: Body) => value)).toEqual([...taskStatuses])
  expect(schema.default_sort).toEqual({
    board: { field: 'created_at', direction: -1 },
    deleted: { field: 'deleted_at', direction: -1 },
  })
})

test('a deployment sets its own window, and its own timeout', async () => {
  const other = await startService({ ATELIER_RETENTION: 'PT1H', ATELIER_AUTOMATION_RUN_TIMEOUT: 'PT5M' })
  try {
    const { data } = await other.get('/api/v1/tasks/schema')
    expect(data).toMatchObject({ retention_window: 'PT1H', automation_run_timeout: 'PT5M' })
    const task = await makers(other).task()
    await other.del(`/api/v1/tasks/${task.id}`)
    await other.rows(`update tasks set deleted_at = deleted_at - interval '61 minutes'`)
    expect((await other.get('/api/v1/tasks/deleted')).data.tasks).toEqual([])
    expect((await other.post(`/api/v1/tasks/${task.id}/restore`)).body.code).toBe('retention_over')
  } finally {
    await other.close()
  }
})

test('the enumerations of the contract are what tasks and schema know, in their declared order', async () => {
  const { filter_fields } = await make.read('/api/v1/tasks/schema')
  const valuesOf = (name: string) =>
    filter_fields.find((field: Body) => field.name === name).values.map(({ value }: Body) => value)
  expect(valuesOf('status')).toEqual([
    'backlog',
    'ready_for_production',
    'in_progress',
    'tech_check',
    'creative_check',
    'done',
    'archived',
  ])
  expect(valuesOf('test_status')).toEqual(['not_tested', 'in_test', 'tested', 'paused'])
  const { vocabularies } = await make.read('/api/v1/tasks/schema')
  expect(vocabularies.Source[0].value).toBe('META')
  expect(vocabularies.AutomationState).toEqual([
    { value: 'pending', label: 'Pending' },
    { value: 'running', label: 'Running' },
    { value: 'awaiting_input', label: 'Awaiting input' },
    { value: 'succeeded', label: 'Succeeded' },
    { value: 'failed', label: 'Failed' },
  ])
})

test('query is a rule group as JSON, and selects cards and total alike', async () => {
  const chosen = await make.task({ priority: 1, geo: 'DE' })
  await make.task({ priority: 4, geo: 'DE' })
  const group = (value: number) => ({
    combinator: 'and',
    rules: [
      { field: 'priority', operator: '<=', value },
      { field: 'geo', operator: '=', value: 'DE' },
    ],
  })
  const asked = (value: number) => `?query=${encodeURIComponent(JSON.stringify(group(value)))}`
  const { tasks, meta } = await page('board', asked(2))
  expect([idsOf(tasks), meta.total]).toEqual([[chosen.id], 1])
  expect((await page('board', asked(5))).meta.total).toBe(2)
  expect((await page('deleted', asked(5))).meta.total).toBe(0)
  await make.deleted(`/api/v1/tasks/${chosen.id}`)
  expect(idsOf((await page('deleted', asked(2))).tasks)).toEqual([chosen.id])
  expect((await service.get('/api/v1/tasks/deleted?query={')).status).toBe(422)
})

test('sort is {field, direction} as JSON, with direction 1 or -1', async () => {
  const numbers = async (direction: unknown) => {
    const sort = encodeURIComponent(JSON.stringify({ field: 'number', direction }))
    const { tasks } = await page('deleted', `?limit=100&sort=${sort}`)
    return tasks.map(({ number }: Body) => number)
  }
  const ascending = deleted.map(({ number }) => number).toSorted((a, b) => a - b)
  expect(await numbers(1)).toEqual(ascending)
  expect(await numbers(-1)).toEqual(ascending.toReversed())
  for (const sort of ['{"field":"number","direction":0}', '{"field":"number","direction":"1"}', '{"field":"number"}']) {
    const refused = await service.get(`/api/v1/tasks/deleted?sort=${encodeURIComponent(sort)}`)
    expect(faults(refused)).toEqual([expect.stringMatching(/ query\.sort\.direction$/)])
  }
  expect((await service.get('/api/v1/tasks/deleted?sort=number')).status).toBe(422)
})

test('search finds part of name or generated name, whatever the case; only digits are the task number', async () => {
  const task = await make.task({ name: 'Überglow', subject: 'Night repair' })
  const decoy = await make.task({ name: `Number ${task.number}` })
  for (const feed of ['board', 'deleted']) {
    const found = async (term: string) => idsOf((await page(feed, `?search=${encodeURIComponent(term)}`)).tasks)
    for (const term of ['ÜBERGLOW', 'ergl', 'NIGHT-REPAIR', `t${task.number}_night`]) {
      expect(await found(term), term).toEqual([task.id])
    }
    expect(await found(String(task.number))).toEqual([task.id])
    expect(await found(`number ${task.number}`)).toEqual([decoy.id])
    expect(await found('nowhere')).toEqual([])
    for (const { id } of [task, decoy]) await make.deleted(`/api/v1/tasks/${id}`)
  }
})

test('a cursor is good only for the list it came from', async () => {
  const { meta } = await page('deleted', '?limit=5')
  for (const list of [
    `board?limit=5&cursor=${meta.next_cursor}`,
    `deleted?search=x&cursor=${meta.next_cursor}`,
    `deleted?sort=${encodeURIComponent('{"field":"name","direction":1}')}&cursor=${meta.next_cursor}`,
    `deleted?cursor=${meta.next_cursor}x`,
  ]) {
    const refused = await service.get(`/api/v1/tasks/${list}`)
    expect(faults(refused), list).toEqual(['value_error query.cursor'])
  }
  expect((await page('deleted', `?limit=9&cursor=${meta.next_cursor}`)).tasks).toHaveLength(9)
})

test('every query parameter is optional, and an unknown one is refused', async () => {
  expect((await service.get('/api/v1/tasks/deleted')).status).toBe(200)
  expect(faults(await service.get('/api/v1/tasks/deleted?serach=x&page=2'))).toEqual([
    'extra_forbidden query.serach',
    'extra_forbidden query.page',
  ])
})
