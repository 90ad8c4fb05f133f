// Facts about ETags: which changes give a new ETag, what If-Match refuses, and which records a read with
// If-None-Match always sends.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, type Body, type Service, startService } from '../support/harness.ts'
import { doors, freshAdId } from '../support/launch.ts'
import { makers, refusal } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const taskPath = ({ id }: Body) => `/api/v1/tasks/${id}`
const creativePath = ({ id }: Body) => `/api/v1/creatives/${id}`
const etag = async (path: string) => (await service.get(path)).headers.etag
const ifMatch = (tag: string): Ask => ({ headers: { 'if-match': tag } })

test('every answer that is a task or a creative carries its ETag', async () => {
  const created = await service.post('/api/v1/tasks', { name: 'x' })
  const path = taskPath(created.data)
  const added = await service.post(`${path}/creatives`, {})
  const creative = creativePath(added.data)
  const answers = [
    created,
    added,
    await service.get(path),
    await service.get(`${path}?included=true`),
    await service.patch(path, { notes: 'x' }),
    await service.get(creative),
    await service.patch(creative, { completed: true }),
    await service.del(creative),
    await service.post(`${creative}/restore`),
    await service.del(path),
    await service.post(`${path}/restore`),
  ]
  for (const { status, headers } of answers) {
    expect(status).toBe(200)
    expect(headers.etag).toMatch(/^"\d+"$/)
  }
})

test('a task with what it refers to is never 304: creatives come and go without it', async () => {
  const task = await make.task()
  const path = `${taskPath(task)}?included=true`
  const known = { headers: { 'if-none-match': String(await etag(path)) } }
  expect((await service.get(path, known)).status).toBe(200)
  await make.creative(task.id)
  const again = await service.get(path, known)
  expect(again.status).toBe(200)
  expect(again.data.included.task_creatives).toHaveLength(1)
})

test('the ETag of an answer is the one the next read shows', async () => {
  const task = await make.task()
  for (const ask of [
    () => service.patch(taskPath(task), { notes: 'x' }),
    () => service.del(taskPath(task)),
    () => service.post(`${taskPath(task)}/restore`),
  ]) {
    const before = await etag(taskPath(task))
    const { headers } = await ask()
    expect(headers.etag).not.toBe(before)
    expect(await etag(taskPath(task))).toBe(headers.etag)
  }
})

test('derived writes change no ETag: rollup, counters, planned names done, work begun', async () => {
  const task = await make.task({ count: 1 })
  const creative = await make.creative(task.id)
  const before = await etag(taskPath(task))
  await service.patch(creativePath(creative), { completed: true })
  await make.comment(task.id)
  await make.creative(task.id)
  await make.task({ origin_creative_id: creative.id })
  const after = await service.get(taskPath(task))
  expect(after.data).toMatchObject({ comment_count: 1, planned_creatives_done: [creative.name] })
  expect(after.data.updated_at).toBe(task.updated_at)
  expect(after.headers.etag).toBe(before)
  const of = await etag(creativePath(creative))
  await make.patched(task.id, { subject: 'Hands', status: 'in_progress' })
  const rolled = await service.get(creativePath(creative))
  expect(rolled.data).toMatchObject({ subject: 'Hands', in_work_at: expect.any(String) })
  expect(rolled.headers.etag).toBe(of)
})

test('derived members change no ETag, so a task or creative is never 304: a launch shows under the same ETag', async () => {
  const { task, creatives } = await make.taskWith(['Launched under one ETag'])
  const ad_id = freshAdId()
  const paths = [taskPath(task), creativePath(creatives[0])]
  const before = await Promise.all(paths.map(etag))
  await doors(service).packs({ task_id: task.id, ad_id })
  for (const [place, path] of paths.entries()) {
    const known = String(before[place])
    const { status, data, headers } = await service.get(path, { headers: { 'if-none-match': known } })
    expect([status, data?.ad_id, headers.etag]).toEqual([200, ad_id, known])
  }
})

test('a write with the present ETag, or with *, is done', async () => {
  const task = await make.task()
  const path = taskPath(task)
  expect((await service.patch(path, { notes: 'a' }, ifMatch('"1"'))).status).toBe(200)
  expect((await service.patch(path, { notes: 'b' }, ifMatch('"7", "2"'))).status).toBe(200)
  expect((await service.patch(path, { notes: 'c' }, ifMatch('*'))).status).toBe(200)
  expect((await service.del(path, ifMatch('"4"'))).status).toBe(200)
  expect((await service.post(`${path}/restore`, undefined, ifMatch('"5"'))).status).toBe(200)
})

test('a write with a stale ETag, or with a weak one, is refused and told the present one', async () => {
  const task = await make.task()
  const path = taskPath(task)
  const current = (await service.patch(path, { notes: 'a' })).data
  for (const tag of ['"1"', 'W/"2"', '2', '""', 'x']) {
    const refused = await service.patch(path, { notes: 'b' }, ifMatch(tag))
    expect(refusal(refused)).toEqual([412, 'precondition_failed'])
    expect(refused.body.etag).toBe('"2"')
    // Only a tag that could have been one of this record says that the record has changed.
    const why = tag === '"1"' ? 'Someone changed this' : 'send the ETag as it was given, strong and with its quotes'
    expect(refused.body.detail).toContain(why)
    expect(refusal(await service.del(path, ifMatch(tag)))).toEqual([412, 'precondition_failed'])
  }
  expect(await make.read(path)).toEqual(current)
  await service.del(path)
  expect(refusal(await service.post(`${path}/restore`, undefined, ifMatch('"1"')))).toEqual([
    412,
    'precondition_failed',
  ])
})

test('the same holds for creatives', async () => {
  const creative = await make.creative((await make.task()).id)
  const path = creativePath(creative)
  expect((await service.patch(path, { completed: true }, ifMatch('"1"'))).status).toBe(200)
  expect(refusal(await service.patch(path, { completed: false }, ifMatch('"1"')))).toEqual([412, 'precondition_failed'])
  expect(refusal(await service.del(path, ifMatch('"1"')))).toEqual([412, 'precondition_failed'])
  await service.del(path)
  const refused = await service.post(`${path}/restore`, undefined, ifMatch('"1"'))
  expect(refusal(refused)).toEqual([412, 'precondition_failed'])
})

test('a cascade changes the ETag of each creative it takes down or brings back', async () => {
  const { task, creatives } = await make.taskWith(['Taken down'])
  const tags = [await etag(creativePath(creatives[0]))]
  await make.deleted(taskPath(task))
  tags.push(await etag(creativePath(creatives[0])))
  await make.restored(taskPath(task))
  tags.push(await etag(creativePath(creatives[0])))
  expect(new Set(tags).size).toBe(3)
})

test('of two who change the same revision at once, one is refused', async () => {
  const task = await make.task()
  const answers = await Promise.all(['a', 'b'].map((notes) => service.patch(taskPath(task), { notes }, ifMatch('"1"'))))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412])
})

test('a graph is never 304: what keeps it from running changes while its revision stays', async () => {
  const bytes = 'the film of a graph'
  const digest = createHash('sha256').update(bytes).digest('hex')
  const file = { digest, media_type: 'video/mp4', size: bytes.length, name: 'film.mp4' }
  const definition = { schema: 1, nodes: { film: { type: 'input.file', version: 1, params: { file } } }, edges: [] }
  const { data: graph, headers } = await service.post('/api/v1/graphs', { name: 'Hooks', definition })
  const read = () => service.get(`/api/v1/graphs/${graph.id}`, { headers: { 'if-none-match': String(headers.etag) } })
  const before = await read()
  expect([before.status, before.data, before.body.errors]).toEqual([200, graph, [expect.stringContaining(digest)]])
  await make.file(bytes)
  const after = await read()
  expect([after.status, after.data, after.body.errors]).toEqual([200, graph, null])
})
