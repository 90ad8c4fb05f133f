// Facts about restoring a task: what is restored, what happens if a name is taken meanwhile, and when it is too late.
import { taskStatuses } from '@atelier/contract/enums.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { purge } from '../../src/features/tasks/purge.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, nobody, refusal } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const path = (task: Body) => `/api/v1/tasks/${task.id}`
const restore = (task: Body) => service.post(`${path(task)}/restore`)
const creative = ({ id }: Body): Promise<Body> => make.read(`/api/v1/creatives/${id}`)
const isLive = async (given: Body): Promise<boolean> => (await creative(given)).deleted_at === null
const outlive = (task: Body) =>
  service.rows(`update tasks set deleted_at = deleted_at - interval '30 days' where id = $1`, [task.id])

test('a restored task returns to the status it held, with deleted_at cleared', async () => {
  for (const status of taskStatuses) {
    const task = await make.task({ status })
    await make.deleted(path(task))
    const { status: code, data, body } = await restore(task)
    expect([code, body.success, data.status, data.deleted_at]).toEqual([200, true, status, null])
    expect(await make.read(path(task))).toEqual(data)
  }
})

test('a restored task is whole: nothing but its dates of change differs', async () => {
  const { task } = await make.whole()
  await make.creative(task.id, { file: await make.file() })
  await make.comment(task.id)
  const before = await make.read(path(task))
  await make.deleted(path(task))
  const { updated_at, status_entered_at, ...restored } = (await restore(task)).data
  const { updated_at: _u, status_entered_at: _s, ...whole } = before
  expect(restored).toEqual(whole)
  expect(status_entered_at).toBe(updated_at)
})

test('it is back on the board and in its column, and no longer in the Deleted feed', async () => {
  const task = await make.task({ status: 'creative_check' })
  const listed = async (feed: string) => {
    const { tasks } = await make.read(`/api/v1/tasks/${feed}`)
    return tasks.some(({ id }: Body) => id === task.id)
  }
  await make.deleted(path(task))
  expect([await listed('board?status=creative_check'), await listed('deleted')]).toEqual([false, true])
  await make.restored(path(task))
  expect([await listed('board?status=creative_check'), await listed('deleted')]).toEqual([true, false])
})

test('the creatives which that delete took down come back with it', async () => {
  const { task, creatives } = await make.taskWith(['Back 1', 'Back 2', 'Back 3'])
  const before = await Promise.all(creatives.map(creative))
  await make.deleted(path(task))
  await make.restored(path(task))
  expect(await Promise.all(creatives.map(creative))).toEqual(before)
})

test('a creative deleted by itself before stays deleted, through any number of deletes and restores', async () => {
  const { task, creatives } = await make.taskWith(['Stays', 'Comes back'])
  const { deleted_at } = await make.deleted(`/api/v1/creatives/${creatives[0].id}`)
  for (let turn = 0; turn < 2; turn++) {
    await make.deleted(path(task))
    await make.restored(path(task))
    expect((await creative(creatives[0])).deleted_at).toBe(deleted_at)
    expect(await isLive(creatives[1])).toBe(true)
  }
})

test('a creative deleted by itself between two deletes of its task stays deleted', async () => {
  const { task, creatives } = await make.taskWith(['First both, then alone'])
  await make.deleted(path(task))
  await make.restored(path(task))
  await make.deleted(`/api/v1/creatives/${creatives[0].id}`)
  await make.deleted(path(task))
  await make.restored(path(task))
  expect(await isLive(creatives[0])).toBe(false)
  expect((await make.restored(`/api/v1/creatives/${creatives[0].id}`)).deleted_at).toBeNull()
})

test('a restore touches no creative of another task', async () => {
  const other = await make.taskWith(['Elsewhere'])
  await make.deleted(path(other.task))
  const { task } = await make.taskWith(['Here'])
  await make.deleted(path(task))
  await make.restored(path(task))
  expect(await isLive(other.creatives[0])).toBe(false)
})

test('a taken name refuses the restore and names every conflict', async () => {
  const { task, creatives } = await make.taskWith(['Taken B', 'Free', 'Taken A'])
  await make.deleted(path(task))
  const taker = await make.taskWith(['Taken A'])
  const second = await make.taskWith(['Taken B'])
  const refused = await restore(task)
  expect(refused.status).toBe(409)
  expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(refused.body).toMatchObject({ code: 'creative_name_taken', status: 409, instance: `${path(task)}/restore` })
  const conflict = (mine: Body, theirs: { task: Body; creatives: Body[] }) => ({
    creative_id: mine.id,
    name: mine.name,
    taken_by: theirs.creatives[0].id,
    taken_by_task_id: theirs.task.id,
  })
  expect(refused.body.conflicts).toEqual([conflict(creatives[2], taker), conflict(creatives[0], second)])
})

test.each([
  [['One'], 'the name “One” belongs to another creative now.'],
  [['A', 'B', 'C'], 'the names “A”, “B” and “C” belong to other creatives now.'],
  [['D', 'E', 'F', 'G', 'H'], 'the names “D”, “E”, “F” and 2 more belong to other creatives now.'],
])('the refusal of %j says how many names are taken', async (letters, words) => {
  const names = letters.map((letter) => `Said ${letter}`)
  const { task } = await make.taskWith(names)
  await make.deleted(path(task))
  await make.taskWith(names)
  const { body } = await restore(task)
  expect(body.detail.replaceAll('Said ', '')).toContain(`cannot come back: ${words} Rename`)
})

test('a refused restore changes nothing: not the task, not the creatives that had no conflict', async () => {
  const { task, creatives } = await make.taskWith(['Kept down', 'Clashes'])
  const deleted = await make.deleted(path(task))
  const before = await Promise.all(creatives.map(creative))
  await make.taskWith(['Clashes'])
  expect(refusal(await restore(task))).toEqual([409, 'creative_name_taken'])
  expect(await make.read(path(task))).toEqual(deleted)
  expect(await Promise.all(creatives.map(creative))).toEqual(before)
})

test('renaming the creative of the deleted task resolves the conflict', async () => {
  const { task, creatives } = await make.taskWith(['Renamed here'])
  await make.deleted(path(task))
  await make.taskWith(['Renamed here'])
  expect((await restore(task)).status).toBe(409)
  expect((await service.patch(`/api/v1/creatives/${creatives[0].id}`, { name: 'A new name' })).status).toBe(200)
  expect((await restore(task)).status).toBe(200)
  expect(await creative(creatives[0])).toMatchObject({ name: 'A new name', deleted_at: null })
})

test('renaming or deleting the other creative resolves it as well', async () => {
  for (const resolve of [
    (id: string) => service.patch(`/api/v1/creatives/${id}`, { name: 'Moved out of the way' }),
    (id: string) => service.del(`/api/v1/creatives/${id}`),
  ]) {
    const { task } = await make.taskWith(['Resolved elsewhere'])
    await make.deleted(path(task))
    const other = await make.taskWith(['Resolved elsewhere'])
    expect((await restore(task)).status).toBe(409)
    expect((await resolve(other.creatives[0].id)).status).toBe(200)
    expect((await restore(task)).status).toBe(200)
    await make.deleted(path(task))
  }
})

test('creatives renamed into each other while their task was deleted are conflicts too', async () => {
  const { task, creatives } = await make.taskWith(['Twin 1', 'Twin 2'])
  await make.deleted(path(task))
  await service.patch(`/api/v1/creatives/${creatives[1].id}`, { name: 'Twin 1' })
  const refused = await restore(task)
  expect(refused.status).toBe(409)
  expect(refused.body.conflicts).toEqual([
    { creative_id: creatives[1].id, name: 'Twin 1', taken_by: creatives[0].id, taken_by_task_id: task.id },
  ])
  await service.patch(`/api/v1/creatives/${creatives[1].id}`, { name: 'Twin 2' })
  expect((await restore(task)).status).toBe(200)
})

test('a name that only a deleted creative has is no conflict', async () => {
  const { task } = await make.taskWith(['Both deleted'])
  await make.deleted(path(task))
  const other = await make.taskWith(['Both deleted'])
  await make.deleted(path(other.task))
  expect((await restore(task)).status).toBe(200)
  expect(refusal(await restore(other.task))).toEqual([409, 'creative_name_taken'])
})

test('a name another task plans, but no creative has, is no conflict', async () => {
  const { task } = await make.taskWith(['Only planned'])
  await make.deleted(path(task))
  await make.task({ name: 'Only planned' })
  expect((await restore(task)).status).toBe(200)
})

test('restoring a live task answers it as it is', async () => {
  const task = await make.task()
  const { status, data, headers } = await restore(task)
  expect([status, data, headers.etag]).toEqual([200, task, '"1"'])
  await make.deleted(path(task))
  const first = await restore(task)
  expect((await restore(task)).text).toBe(first.text)
  const kinds = (await make.read(`${path(task)}/activity`)).items.map(({ kind }: Body) => kind)
  expect(kinds).toEqual(['task_restored', 'task_deleted', 'task_created'])
})

test('past the window a restore is told so, whether the task was purged yet or not', async () => {
  const { task, creatives } = await make.taskWith(['Too late'])
  await make.deleted(path(task))
  await outlive(task)
  expect(refusal(await restore(task))).toEqual([404, 'retention_over'])
  await purge(service.database)
  expect(await service.rows('select id from tasks where id = $1', [task.id])).toEqual([])
  expect(refusal(await restore(task))).toEqual([404, 'retention_over'])
  const late = await service.post(`/api/v1/creatives/${creatives[0].id}/restore`)
  expect(refusal(late)).toEqual([404, 'retention_over'])
})

test('inside the window, to its last minute, a task comes back', async () => {
  const task = await make.task()
  await make.deleted(path(task))
  const almost = `update tasks set deleted_at = deleted_at - interval '30 days' + interval '1 minute' where id = $1`
  await service.rows(almost, [task.id])
  await purge(service.database)
  expect((await restore(task)).status).toBe(200)
})

test('an id that never was, or is none, is not found', async () => {
  for (const id of [nobody, 'nothing', '123']) {
    expect(refusal(await service.post(`/api/v1/tasks/${id}/restore`))).toEqual([404, 'not_found'])
  }
})

test('any writer may restore, a reader may not', async () => {
  const task = await make.task()
  await make.deleted(path(task))
  const [reader, writer] = [await service.person('reader'), await service.person('writer')]
  const integration = await service.integration(['tasks:write'])
  const asked = (token: string) => service.post(`${path(task)}/restore`, undefined, { token })
  expect(refusal(await asked(reader.token))).toEqual([403, 'insufficient_scope'])
  expect((await asked(writer.token)).status).toBe(200)
  await make.deleted(path(task))
  expect((await asked(integration.token)).status).toBe(200)
})

test('a restore takes no body: none, null and an empty one are the same, a member is refused', async () => {
  const task = await make.task()
  await make.deleted(path(task))
  const meant = await service.post(`${path(task)}/restore`, { status: 'done' })
  expect(faults(meant)).toEqual(['extra_forbidden body.status'])
  expect(meant.body.detail[0].input).toBe('done')
  for (const body of [null, {}]) {
    await make.deleted(path(task))
    expect((await service.post(`${path(task)}/restore`, body)).status).toBe(200)
  }
})

test('the whole of it can be repeated: delete, restore, delete, restore', async () => {
  const { task, creatives } = await make.taskWith(['Again and again'])
  for (let turn = 0; turn < 3; turn++) {
    expect((await make.deleted(path(task))).deleted_at).not.toBeNull()
    expect((await make.restored(path(task))).deleted_at).toBeNull()
    expect(await isLive(creatives[0])).toBe(true)
  }
})
