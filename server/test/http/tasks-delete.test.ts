// Facts about deleting a task: what is deleted with it, what stays readable, and which later requests are refused.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, nobody, refusal, utc } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const path = (task: Body) => `/api/v1/tasks/${task.id}`
const read = (task: Body): Promise<Body> => make.read(path(task))
const feed = async (name: string): Promise<string[]> => {
  const { tasks } = await make.read(`/api/v1/tasks/${name}?limit=100`)
  return tasks.map(({ id }: Body) => id)
}

test('a deleted task is answered with deleted_at set, its time up to then, no live creatives, and everything else as it was', async () => {
  const { id } = (await make.whole()).task
  for (const name of (await make.read(`/api/v1/tasks/${id}`)).planned_creative_names) {
    await make.creative(id, { name, variation_num: 1 })
  }
  await make.patched(id, { status: 'tech_check' })
  await service.rows(`update tasks set status_entered_at = status_entered_at - interval '1 hour' where id = $1`, [id])
  const task = await make.read(`/api/v1/tasks/${id}`)
  const creatives = task.planned_creative_names.length
  expect(task.planned_creatives_done).toEqual(task.planned_creative_names)
  const { tasks } = await make.read('/api/v1/tasks/board?limit=100')
  const card = tasks.find((one: Body) => one.id === id)
  expect(card).toMatchObject({ creatives_total: creatives, creatives_done: creatives })

  const deleted = await make.deleted(path(task))
  const { deleted_at, time_on_check_seconds } = deleted
  expect(deleted_at).toMatch(utc)
  expect(time_on_check_seconds).toBe((Date.parse(deleted_at) - Date.parse(task.status_entered_at)) / 1000)
  expect(time_on_check_seconds).toBeGreaterThanOrEqual(3600)
  const changed = { deleted_at, updated_at: deleted_at }
  expect(deleted).toEqual({ ...task, ...changed, time_on_check_seconds, planned_creatives_done: [] })
  const [newest] = (await make.read('/api/v1/tasks/deleted')).tasks
  expect(newest).toEqual({ ...card, ...changed, creatives_total: 0, creatives_done: 0 })
})

test('deleted again, it answers the same, to the byte', async () => {
  const task = await make.task()
  const first = await service.del(path(task))
  const second = await service.del(path(task))
  expect(second.text).toBe(first.text)
  expect(second.headers.etag).toBe(first.headers.etag)
  const kinds = (await make.read(`${path(task)}/activity`)).items.map(({ kind }: Body) => kind)
  expect(kinds).toEqual(['task_deleted', 'task_created'])
})

test('a deleted task leaves the board and its columns, and is in the Deleted feed with its status', async () => {
  const task = await make.task({ status: 'tech_check' })
  const total = async () => {
    const columns: Body[] = await make.read('/api/v1/tasks/columns')
    return columns.find(({ status }) => status === 'tech_check').total
  }
  const before = await total()
  await make.deleted(path(task))
  expect(await total()).toBe(before - 1)
  expect(await feed('board')).not.toContain(task.id)
  const { tasks } = await make.read('/api/v1/tasks/deleted')
  expect(tasks[0]).toMatchObject({ id: task.id, status: 'tech_check' })
})

test('its live creatives go with it, at the same moment', async () => {
  const { task, creatives } = await make.taskWith(['Goes too 1', 'Goes too 2'])
  const { deleted_at } = await make.deleted(path(task))
  for (const { id } of creatives) {
    expect(await make.read(`/api/v1/creatives/${id}`)).toMatchObject({ deleted_at, task_id: task.id })
  }
})

test('a creative deleted by itself before keeps its own date', async () => {
  const { task, creatives } = await make.taskWith(['Gone before'])
  const { deleted_at } = await make.deleted(`/api/v1/creatives/${creatives[0].id}`)
  await make.deleted(path(task))
  expect((await make.read(`/api/v1/creatives/${creatives[0].id}`)).deleted_at).toBe(deleted_at)
})

test('the names of its creatives are free for others', async () => {
  const { task } = await make.taskWith(['Sought-after'])
  const other = await make.task()
  const members = { name: 'Sought-after' }
  const taken = await service.post(`${path(other)}/creatives`, members)
  expect(refusal(taken)).toEqual([409, 'creative_name_taken'])
  await make.deleted(path(task))
  expect((await make.creative(other.id, members)).name).toBe('Sought-after')
})

test('record, comments, activity and creatives of a deleted task stay readable', async () => {
  const { task, creatives } = await make.taskWith(['Readable'])
  const comment = await make.comment(task.id)
  const deleted = await make.deleted(path(task))
  expect(await read(task)).toEqual(deleted)
  expect((await make.read(`${path(task)}/comments`)).items).toEqual([comment])
  expect((await make.read(`${path(task)}/activity`)).items[0].kind).toBe('task_deleted')
  expect((await make.read(`${path(task)}/creatives`)).items.map(({ id }: Body) => id)).toEqual([creatives[0].id])
})

test('the creatives listed of a deleted task are those its restore would bring back', async () => {
  const { task, creatives } = await make.taskWith(['Kept', 'Dropped before'])
  await make.deleted(`/api/v1/creatives/${creatives[1].id}`)
  await make.deleted(path(task))
  const names = (await make.read(`${path(task)}/creatives`)).items.map(({ name }: Body) => name)
  expect(names).toEqual(['Kept'])
})

test('nothing about a deleted task changes but the names of its creatives', async () => {
  const { task, creatives } = await make.taskWith(['Frozen'])
  const comment = await make.comment(task.id)
  const deleted = await make.deleted(path(task))
  const creative = `/api/v1/creatives/${creatives[0].id}`
  const refused = [
    await service.patch(path(task), { notes: 'x' }),
    await service.post(`${path(task)}/comments`, { text: 'x' }),
    await service.patch(`/api/v1/comments/${comment.id}`, { text: 'x' }),
    await service.del(`/api/v1/comments/${comment.id}`),
    await service.post(`${path(task)}/creatives`, {}),
    await service.patch(creative, { completed: true }),
    await service.patch(creative, { name: 'Renamed', completed: true }),
    await service.del(creative),
    await service.post(`${creative}/restore`),
  ]
  for (const answer of refused) expect(refusal(answer)).toEqual([409, 'task_deleted'])
  expect(await read(task)).toEqual(deleted)
  expect((await service.patch(creative, { name: 'Renamed' })).status).toBe(200)
})

test('a creative of a deleted task may take a name that someone has; its restore is what is refused', async () => {
  const { task, creatives } = await make.taskWith(['Bound to clash'])
  const other = await make.taskWith(['Has it'])
  await make.deleted(path(task))
  const renamed = await service.patch(`/api/v1/creatives/${creatives[0].id}`, { name: 'Has it' })
  expect(renamed.data).toMatchObject({ name: 'Has it' })
  expect((await make.read(`/api/v1/creatives/${other.creatives[0].id}`)).deleted_at).toBeNull()
})

test('a task past its window is gone for every route but restore', async () => {
  const { task, creatives } = await make.taskWith(['Past'])
  const comment = await make.comment(task.id)
  await make.deleted(path(task))
  await service.rows(`update tasks set deleted_at = deleted_at - interval '30 days' where id = $1`, [task.id])
  const gone = [
    await service.get(path(task)),
    await service.get(`${path(task)}?included=true`),
    await service.get(`${path(task)}/comments`),
    await service.get(`${path(task)}/activity`),
    await service.get(`${path(task)}/creatives`),
    await service.patch(path(task), { notes: 'x' }),
    await service.del(path(task)),
    await service.post(`${path(task)}/comments`, { text: 'x' }),
    await service.patch(`/api/v1/comments/${comment.id}`, { text: 'x' }),
    await service.post(`${path(task)}/creatives`, {}),
    await service.get(`/api/v1/creatives/${creatives[0].id}`),
    await service.patch(`/api/v1/creatives/${creatives[0].id}`, { name: 'x' }),
    await service.del(`/api/v1/creatives/${creatives[0].id}`),
  ]
  for (const answer of gone) expect(refusal(answer)).toEqual([404, 'not_found'])
  expect(await feed('deleted')).not.toContain(task.id)
})

test('a task that is not there cannot be deleted', async () => {
  for (const id of [nobody, 'nothing']) {
    expect(refusal(await service.del(`/api/v1/tasks/${id}`))).toEqual([404, 'not_found'])
  }
})

test('a delete takes no body', async () => {
  const task = await make.task()
  const meant = await service.del(path(task), { body: { cascade: false } })
  expect(meant.status).toBe(422)
  expect(faults(meant)).toEqual(['extra_forbidden body.cascade'])
  expect((await read(task)).deleted_at).toBeNull()
  expect((await service.del(path(task), { body: {} })).status).toBe(200)
})

test('deletes at once take a task down once', async () => {
  const { task } = await make.taskWith(['Once'])
  const answers = await Promise.all(Array.from({ length: 5 }, () => service.del(path(task))))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  const [row] = await service.rows('select revision from tasks where id = $1', [task.id])
  expect(row.revision).toBe(2)
})
