// Facts about `GET /tasks/{id}?included=true`: it returns the task with everything that the task refers to.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, refusal } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const path = ({ id }: Body) => `/api/v1/tasks/${id}`
const included = async (task: Body): Promise<Body> => (await make.read(`${path(task)}?included=true`)).included
const item = ({ id, name, variation_num, in_work_at, assignee_id, task_owner_id }: Body) => ({
  id,
  name,
  variation_num,
  in_work_at,
  assignee_id,
  task_owner_id,
})

test('with included=true the record comes with its includes, otherwise alone', async () => {
  const { task } = await make.whole()
  const read = await make.read(`${path(task)}?included=true`)
  expect(Object.keys(read)).toEqual(['task', 'included'])
  expect(read.task).toEqual(task)
  expect(await make.read(path(task))).toEqual(task)
  expect(await make.read(`${path(task)}?included=false`)).toEqual(task)
  expect(faults(await service.get(`${path(task)}?included=maybe`))).toEqual(['bool_parsing query.included'])
})

test('users are its assignee and owner, by id', async () => {
  const { task, person } = await make.whole()
  await service.rows(
    `update users set email = 'a@example.com', image_url = 'https://example.com/a.png' where id = $1`,
    [person.id],
  )
  expect((await included(task)).users).toEqual({
    [person.id]: { id: person.id, name: 'A writer', email: 'a@example.com', image_url: 'https://example.com/a.png' },
    [service.owner.id]: { id: service.owner.id, name: 'Owner', email: null, image_url: null },
  })
})

test('products hold its product, by id', async () => {
  const { task, product } = await make.whole()
  expect((await included(task)).products).toEqual({ [product.id]: { id: product.id, name: product.name } })
})

test('creatives are those its lineage names, by id', async () => {
  const { creatives } = await make.taskWith(['Lineage 1', 'Lineage 2', 'Not named'])
  const [origin, source] = creatives
  const task = await make.task({ origin_creative_id: origin.id, source_creative_ids: [source.id, origin.id] })
  expect((await included(task)).creatives).toEqual({ [origin.id]: item(origin), [source.id]: item(source) })
})

test('a lineage creative that was deleted is still included, a purged one is not', async () => {
  const { creatives } = await make.taskWith(['Old lineage'])
  const task = await make.task({ origin_creative_id: creatives[0].id })
  await make.deleted(`/api/v1/creatives/${creatives[0].id}`)
  expect(Object.keys((await included(task)).creatives)).toEqual([creatives[0].id])
  await service.rows('delete from creatives where id = $1', [creatives[0].id])
  expect((await included(task)).creatives).toEqual({})
  expect((await make.read(path(task))).origin_creative_id).toBe(creatives[0].id)
})

test('task_creatives are its own live creatives, by name in one order on every database', async () => {
  const { task, creatives } = await make.taskWith(['b own', 'A own', 'ä own', 'B own', 'Gone'])
  await make.deleted(`/api/v1/creatives/${creatives[4].id}`)
  const own = (await included(task)).task_creatives
  expect(own.map(({ name }: Body) => name)).toEqual(['A own', 'B own', 'b own', 'ä own'])
  expect(own[0]).toEqual(item(creatives[1]))
})

test('a creative is included with when it got in work, and with its people', async () => {
  const writer = await service.person('writer')
  const task = await make.task({ status: 'in_progress', variants: [{ key: 'a', variation_num: 3 }] })
  const creative = await make.creative(task.id, { variation_num: 3, assignee_id: writer.id })
  const { task_creatives, users } = await included(task)
  expect(task_creatives).toEqual([item(creative)])
  expect(task_creatives[0]).toMatchObject({ variation_num: 3, assignee_id: writer.id, in_work_at: creative.created_at })
  expect(Object.keys(users)).toEqual([writer.id])
})

test('of a deleted task: the creatives its restore would bring back', async () => {
  const { task, creatives } = await make.taskWith(['Would come back', 'Would not'])
  await make.deleted(`/api/v1/creatives/${creatives[1].id}`)
  await make.deleted(path(task))
  expect((await included(task)).task_creatives.map(({ name }: Body) => name)).toEqual(['Would come back'])
})

test('a task that refers to nothing includes nothing', async () => {
  expect(await included(await make.task())).toEqual({ users: {}, products: {}, creatives: {}, task_creatives: [] })
})

test('a task that is not there is not found with its includes either', async () => {
  expect(refusal(await service.get('/api/v1/tasks/x?included=true'))).toEqual([404, 'not_found'])
})
