// Facts about recording the launch of a pack (a task with its creatives): the launch counts for the task and all its creatives.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { doors, freshAdId } from '../support/launch.ts'
import { faults, makers, nobody, refusal, utc } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
let launch: ReturnType<typeof doors>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  launch = doors(service)
})
afterAll(() => service.close())

const path = ({ id }: Body) => `/api/v1/creatives/${id}`
const taskPath = ({ id }: Body) => `/api/v1/tasks/${id}`
let serial = 0
const freshName = () => `Pack ${++serial}`
const pack = (count = 2, members = {}) => make.taskWith(Array.from({ length: count }, freshName), members)
const day = (at: number) => `2026-0${at}-01T00:00:00.000Z`

test('a launch of a pack is the launch of its task and of its creatives', async () => {
  const { task, creatives } = await pack()
  const entry = { task_id: task.id, ad_id: freshAdId(), launched_at: day(1) }
  const { body } = await launch.postPacks({ launches: [entry] })
  expect(body).toEqual({
    success: true,
    data: [{ task_id: task.id, ad_id: entry.ad_id, creative_ids: creatives.map(({ id }) => id), recorded: true }],
    message: null,
    errors: null,
  })
  const live = { ad_id: entry.ad_id, launched_at: day(1), test_status: 'in_test' }
  expect(await make.read(taskPath(task))).toMatchObject(live)
  for (const creative of creatives) expect(await make.read(path(creative))).toEqual({ ...creative, ...live })
})

test('the same launch again adds nothing, in the same request or a later one', async () => {
  const { task } = await pack(0)
  const ad_id = freshAdId()
  const at = { task_id: task.id, ad_id, launched_at: day(1) }
  const now = { task_id: task.id, ad_id }
  const recorded = async (...entries: Parameters<typeof launch.packs>) =>
    (await launch.packs(...entries)).map((row) => row.recorded)
  expect(await recorded(at, now, at, { ...at, task_id: task.id.toUpperCase() })).toEqual([true, false, false, false])
  expect(await recorded(now, at)).toEqual([false, false])
  expect(await recorded({ ...at, launched_at: day(2) })).toEqual([true])
  expect(await service.rows('select 1 from launches where task_id = $1', [task.id])).toHaveLength(2)
})

test('there is a row for each entry, in order; tasks that are not there are told', async () => {
  const [a, b] = [await pack(1), await pack(0)]
  const ad_id = freshAdId()
  const asked = [b.task.id, nobody, 'T42', a.task.id.toUpperCase(), b.task.id]
  expect(await launch.packs(...asked.map((task_id) => ({ task_id, ad_id })))).toEqual([
    { task_id: b.task.id, ad_id, creative_ids: [], recorded: true },
    { task_id: nobody, ad_id, creative_ids: [], recorded: false },
    { task_id: 'T42', ad_id, creative_ids: [], recorded: false },
    { task_id: a.task.id.toUpperCase(), ad_id, creative_ids: [a.creatives[0].id], recorded: true },
    { task_id: b.task.id, ad_id, creative_ids: [], recorded: false },
  ])
  expect(await launch.packs({ task_id: nobody, ad_id })).toMatchObject([{ recorded: false, creative_ids: [] }])
})

test('the ad_id of a pack is its latest launch, its date the first', async () => {
  const { task } = await pack(0)
  const [first, second] = [freshAdId(), freshAdId()]
  await launch.packs({ task_id: task.id, ad_id: second, launched_at: day(2) })
  await launch.packs({ task_id: task.id, ad_id: first, launched_at: day(1) })
  expect(await make.read(taskPath(task))).toMatchObject({ ad_id: second, launched_at: day(1) })
  await launch.packs({ task_id: task.id, ad_id: first, launched_at: day(3) })
  expect(await make.read(taskPath(task))).toMatchObject({ ad_id: first, launched_at: day(1) })
})

test("a creative's own latest launch goes before its pack's, however old", async () => {
  const { task, creatives } = await pack()
  const [own, packs] = [freshAdId(), freshAdId()]
  await launch.creatives({ name: creatives[0].name, ad_id: own, launched_at: day(1) })
  await launch.packs({ task_id: task.id, ad_id: packs, launched_at: day(2) })
  expect(await make.read(path(creatives[0]))).toMatchObject({ ad_id: own, launched_at: day(1) })
  expect(await make.read(path(creatives[1]))).toMatchObject({ ad_id: packs, launched_at: day(2) })
  await launch.creatives({ name: creatives[1].name, ad_id: own, launched_at: day(3) })
  expect(await make.read(path(creatives[1]))).toMatchObject({ ad_id: own, launched_at: day(2) })
  expect(await make.read(taskPath(task))).toMatchObject({ ad_id: packs })
})

test('a launch date kept by hand stays; the ad_id follows all the same', async () => {
  const { task, creatives } = await pack(1, { manual_launch: true, launched_at: day(5) })
  const ad_id = freshAdId()
  await launch.packs({ task_id: task.id, ad_id, launched_at: day(1) })
  expect(await make.read(taskPath(task))).toMatchObject({ ad_id, launched_at: day(5), test_status: 'in_test' })
  expect(await make.read(path(creatives[0]))).toMatchObject({ ad_id, launched_at: day(1) })
  await make.patched(task.id, { launched_at: null })
  await launch.packs({ task_id: task.id, ad_id: freshAdId(), launched_at: day(2) })
  expect(await make.read(taskPath(task))).toMatchObject({ launched_at: null })
})

test('a launch date that is no longer kept by hand is that of the first recorded launch again, or none', async () => {
  const byHand = () => pack(0, { manual_launch: true, launched_at: day(5) })
  const [launched, corrected, never] = [await byHand(), await byHand(), await byHand()]
  const ad_id = freshAdId()
  await launch.packs({ task_id: launched.task.id, ad_id, launched_at: day(2) })
  await launch.packs({ task_id: launched.task.id, ad_id, launched_at: day(1) })
  await launch.packs({ task_id: corrected.task.id, ad_id, launched_at: day(1) })
  const [{ id }] = (await make.read(`${taskPath(corrected.task)}/launches`)).items
  await service.post(`/api/v1/launches/${id}/correction`, { ad_id: null })
  expect(await make.patched(launched.task.id, { manual_launch: false })).toMatchObject({ launched_at: day(1), ad_id })
  const [entry] = (await make.read(`${taskPath(launched.task)}/activity`)).items
  expect(entry.changes.launched_at).toEqual({ from: day(5), to: day(1) })
  await make.patched(launched.task.id, { manual_launch: true, launched_at: day(5) })

  const ids = [launched, corrected, never].map(({ task }) => task.id)
  const { data } = await service.post('/api/v1/tasks/bulk', { ids, patch: { manual_launch: false } })
  expect(data.updated.map(({ launched_at }: Body) => launched_at)).toEqual([day(1), null, null])
})

test('a creative put on a launched pack carries its ad_id', async () => {
  const { task } = await pack(0)
  const ad_id = freshAdId()
  await launch.packs({ task_id: task.id, ad_id, launched_at: day(1) })
  await make.patched(task.id, { test_status: 'not_tested' })
  expect(await make.creative(task.id)).toMatchObject({ ad_id, launched_at: day(1), test_status: 'in_test' })
  // A new creative does not overwrite a status that a person has set on the task.
  expect(await make.read(taskPath(task))).toMatchObject({ test_status: 'not_tested' })
})

test('a status that people gave stays', async () => {
  const { task } = await pack(0, { test_status: 'paused' })
  await launch.packs({ task_id: task.id, ad_id: freshAdId() })
  const read = await make.read(taskPath(task))
  expect(read).toMatchObject({ test_status: 'paused' })
  expect(read.launched_at).toMatch(utc)
})

test('a deleted task takes its launches; it and its creatives come back with them', async () => {
  const { task, creatives } = await pack(1)
  await make.deleted(taskPath(task))
  const ad_id = freshAdId()
  expect(await launch.packs({ task_id: task.id, ad_id })).toEqual([
    { task_id: task.id, ad_id, creative_ids: [], recorded: true },
  ])
  expect(await launch.lookup({ ad_ids: [ad_id] })).toMatchObject([{ creatives: [] }])
  expect(await make.restored(taskPath(task))).toMatchObject({ ad_id, test_status: 'in_test' })
  expect(await make.read(path(creatives[0]))).toMatchObject({ ad_id })
  expect(await launch.lookup({ ad_ids: [ad_id] })).toMatchObject([{ creatives: [{ id: creatives[0].id }] }])
})

test('a task whose retention window is over is not there', async () => {
  const { task } = await pack(0)
  await make.deleted(taskPath(task))
  await service.rows(`update tasks set deleted_at = now_ms() - interval '31 days' where id = $1`, [task.id])
  expect(await launch.packs({ task_id: task.id, ad_id: freshAdId() })).toMatchObject([{ recorded: false }])
  expect(await service.rows('select 1 from launches where task_id = $1', [task.id])).toEqual([])
})

test('a launch changes no ETag of task or creative, and is told in the activity once', async () => {
  const { task, creatives } = await pack(1)
  const tags = async () => [
    (await service.get(taskPath(task))).headers.etag,
    (await service.get(path(creatives[0]))).headers.etag,
  ]
  const before = await tags()
  const entry = { task_id: task.id, ad_id: freshAdId() }
  await launch.packs(entry)
  await launch.packs(entry)
  expect(await tags()).toEqual(before)
  const { items } = await make.read(`${taskPath(task)}/activity`)
  expect(items.filter(({ kind }: Body) => kind === 'launch_recorded')).toMatchObject([{ subject_id: null }])
})

test('the Idempotency-Key repeats the first answer', async () => {
  const { task } = await pack(1)
  const ask = () =>
    launch.postPacks(
      { launches: [{ task_id: task.id, ad_id: '23852150404470549' }] },
      { headers: { 'idempotency-key': task.id } },
    )
  const [first, again] = [await ask(), await ask()]
  expect(first.data).toMatchObject([{ recorded: true }])
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
})

test('500 entries are taken, 501 are refused', async () => {
  const { task } = await pack(1)
  const entries = Array.from({ length: 501 }, () => ({ task_id: task.id, ad_id: freshAdId() }))
  const rows = await launch.packs(...entries.slice(1))
  expect(rows.map(({ ad_id, recorded }) => [ad_id, recorded])).toEqual(entries.slice(1).map((it) => [it.ad_id, true]))
  expect(await make.read(taskPath(task))).toMatchObject({ ad_id: entries.at(-1)?.ad_id })
  expect(faults(await launch.postPacks({ launches: entries }))).toEqual(['too_long body.launches'])
})

test('entries that have more than 50,000 creatives together are refused, and none is recorded', async () => {
  const { task } = await pack(0)
  const fill = (count: number) =>
    service.rows(
      `insert into creatives (id, task_id, name, rolled_up_at) select gen_random_uuid(), $1, gen_random_uuid()::text, now_ms()
      from generate_series(1, $2::integer)`,
      [task.id, count],
    )
  const launches = Array.from({ length: 500 }, () => ({ task_id: task.id, ad_id: freshAdId() }))
  await fill(101)
  expect(faults(await launch.postPacks({ launches }))).toEqual(['value_error body.launches'])
  expect(await service.rows('select 1 from launches where task_id = $1', [task.id])).toEqual([])
  const rows = await launch.packs(...launches.slice(0, 495))
  expect(rows.map((row) => row.creative_ids.length)).toEqual(Array.from({ length: 495 }, () => 101))
})

test('a bad entry refuses them all, and every error is told at its place', async () => {
  const { task } = await pack(0)
  const launches = [{ task_id: task.id, ad_id: '1' }, { task_id: ' ', ad_id: null }, { ad_id: '' }]
  expect(faults(await launch.postPacks({ launches }))).toEqual([
    'string_too_short body.launches.1.task_id',
    'string_type body.launches.1.ad_id',
    'missing body.launches.2.task_id',
    'string_too_short body.launches.2.ad_id',
  ])
  expect(await make.read(taskPath(task))).toMatchObject({ ad_id: null })
})

test('recording takes the scope launches:write', async () => {
  const { token } = await service.integration(['read', 'creatives:lookup'])
  const body = { launches: [{ task_id: nobody, ad_id: '1' }] }
  expect(refusal(await launch.postPacks(body, { token }))).toEqual([403, 'insufficient_scope'])
})
