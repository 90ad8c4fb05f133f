// Facts about changing many tasks with one request: which tasks change, and which are reported as failed.
import { refusals } from '@atelier/contract/wire/errors.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, nobody } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const bulk = (ids: unknown, patch: unknown) => service.post('/api/v1/tasks/bulk', { ids, patch })
const idsOf = (tasks: Body[]): string[] => tasks.map(({ id }) => id)
const tasks = (count: number, members = {}): Promise<Body[]> =>
  Promise.all(Array.from({ length: count }, () => make.task(members)))

test('every task takes the patch, and is answered in the order asked', async () => {
  const three = await tasks(3)
  const ids = idsOf(three).toReversed()
  const { status, data } = await bulk(ids, { status: 'in_progress', priority: 1 })
  expect(status).toBe(200)
  expect(data.failed).toEqual([])
  expect(idsOf(data.updated)).toEqual(ids)
  for (const task of data.updated) {
    expect(task).toMatchObject({ status: 'in_progress', priority: 1, started_at: task.updated_at })
    expect(await make.read(`/api/v1/tasks/${task.id}`)).toEqual(task)
  }
})

test('a bulk change does to each task what a single one does: names, rollup, counts, activity', async () => {
  const variants = [{ key: 'a', variation_num: 1 }]
  const two = await tasks(2, { variants, count: 1 })
  const creatives = await Promise.all(two.map(({ id }) => make.creative(id, { variation_num: 1 })))
  const patch = { subject: 'Hands', variants: [{ ...variants[0], completed: true, audience: 'Nurses' }] }
  const { data } = await bulk(idsOf(two), patch)
  for (const [at, task] of data.updated.entries()) {
    expect(task.generated_name).toBe(`T${task.number}_Hands`)
    const creative = await make.read(`/api/v1/creatives/${creatives[at].id}`)
    expect(creative).toMatchObject({ subject: 'Hands', audience: 'Nurses', done: true })
    const [latest] = (await make.read(`/api/v1/tasks/${task.id}/activity`)).items
    expect(latest).toMatchObject({ kind: 'task_changed', by: { user_id: service.owner.id } })
    expect(latest.changes.subject).toEqual({ from: null, to: 'Hands' })
  }
})

test('creatives of all the tasks are in work at once', async () => {
  const two = await tasks(2)
  const creatives = await Promise.all(two.map(({ id }) => make.creative(id)))
  await bulk(idsOf(two), { status: 'in_progress' })
  for (const { id } of creatives) expect((await make.read(`/api/v1/creatives/${id}`)).in_work_at).not.toBeNull()
})

test('tasks that cannot take the patch are told with a code, and the others are changed', async () => {
  const [live, deleted, purged] = await tasks(3)
  await make.deleted(`/api/v1/tasks/${deleted.id}`)
  await make.deleted(`/api/v1/tasks/${purged.id}`)
  await service.rows(`update tasks set deleted_at = deleted_at - interval '31 days' where id = $1`, [purged.id])
  const malformed = ['1', '-'.repeat(36), 'A-b']
  const { status, data } = await bulk([deleted.id, nobody, live.id, purged.id, ...malformed], { notes: 'x' })
  expect(status).toBe(200)
  expect(idsOf(data.updated)).toEqual([live.id])
  expect(data.updated[0].notes).toBe('x')
  expect(data.failed.map(({ id, code }: Body) => [id, code])).toEqual([
    [deleted.id, 'task_deleted'],
    [nobody, 'not_found'],
    [purged.id, 'not_found'],
    ...malformed.map((id) => [id, 'not_found']),
  ])
  for (const { detail } of data.failed) expect(detail).not.toBe('')
})

test('a launch date is taken by the tasks that keep it by hand, and the others are told', async () => {
  const [byHand] = await tasks(1, { manual_launch: true })
  const [derived] = await tasks(1)
  const launched_at = '2026-10-11T12:13:14.150Z'
  const { data } = await bulk([byHand.id, derived.id], { launched_at })
  expect(data.updated).toEqual([expect.objectContaining({ id: byHand.id, launched_at })])
  expect(data.failed).toEqual([expect.objectContaining({ id: derived.id, code: 'launch_recorded' })])
  const both = await bulk([byHand.id, derived.id], { launched_at, manual_launch: true })
  expect(idsOf(both.data.updated)).toEqual([byHand.id, derived.id])
})

test('every code a task can fail with is in the registry', async () => {
  const [deleted, derived] = await tasks(2)
  await make.deleted(`/api/v1/tasks/${deleted.id}`)
  const { data } = await bulk([deleted.id, derived.id, nobody], { launched_at: null })
  expect(data.failed).toHaveLength(3)
  for (const { code } of data.failed) expect(Object.keys(refusals)).toContain(code)
})

test('an id asked twice, in either case, is one task', async () => {
  const [task] = await tasks(1)
  const { data } = await bulk([task.id, task.id.toUpperCase()], { notes: 'once' })
  expect(idsOf(data.updated)).toEqual([task.id])
  const [row] = await service.rows('select revision from tasks where id = $1', [task.id])
  expect(row.revision).toBe(2)
  expect((await bulk([task.id, task.id], { notes: 'x' })).status).toBe(422)
})

test('a task that has it already is answered, unchanged', async () => {
  const [same, other] = [await make.task({ notes: 'x' }), await make.task()]
  const { data } = await bulk([same.id, other.id], { notes: 'x' })
  expect(idsOf(data.updated)).toEqual([same.id, other.id])
  expect(data.updated[0]).toEqual(same)
})

test('a hundred ids are taken, one more is not, and none is none', async () => {
  const [task] = await tasks(1)
  const ids = [task.id, ...Array.from({ length: 99 }, (_, at) => `id-${at}`)]
  const { data } = await bulk(ids, { notes: 'x' })
  expect([data.updated.length, data.failed.length]).toEqual([1, 99])
  const over = await bulk([...ids, 'id-99'], { notes: 'x' })
  expect(over.body.detail[0]).toMatchObject({ type: 'too_long', loc: ['body', 'ids'] })
  expect(faults(await bulk([], { notes: 'x' }))).toEqual(['too_short body.ids'])
  expect(faults(await service.post('/api/v1/tasks/bulk', {}))).toEqual(['missing body.ids', 'missing body.patch'])
})

test('a patch with a wrong shape is refused as a whole', async () => {
  const [task] = await tasks(1)
  const refused = await bulk([task.id], { priority: 9, number: 1, variants: [{ key: 'a', variation_num: 0 }] })
  expect(refused.status).toBe(422)
  expect(faults(refused).toSorted()).toEqual([
    'extra_forbidden body.patch.number',
    'greater_than_equal body.patch.variants.0.variation_num',
    'less_than_equal body.patch.priority',
  ])
  const variants = [
    { key: 'a', variation_num: 1 },
    { key: 'a', variation_num: 2 },
  ]
  expect(faults(await bulk([task.id], { variants, assignee_id: nobody }))).toEqual([
    'value_error body.patch.variants.1.key',
    'value_error body.patch.assignee_id',
  ])
})

test('bulk changes of the same tasks in opposite orders both come through', async () => {
  const ids = idsOf(await tasks(6))
  const answers = await Promise.all([
    bulk(ids, { notes: 'x' }),
    bulk(ids.toReversed(), { hypothesis: 'y' }),
    bulk(ids, { priority: 1 }),
    bulk(ids.toReversed(), { status: 'done' }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  for (const id of ids) {
    expect(await make.read(`/api/v1/tasks/${id}`)).toMatchObject({ notes: 'x', hypothesis: 'y', priority: 1 })
  }
})
