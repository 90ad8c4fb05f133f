// Facts about recording launches of creatives by name: a launch is recorded once, however often it is sent; the latest one gives
// the creative its `ad_id`; and a launch whose name no creative has yet waits for one.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adoptWaitingLaunches } from '../../src/features/tasks/launches/adopt.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { doors, freshAdId } from '../support/launch.ts'
import { faults, makers, refusal, utc } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
let launch: ReturnType<typeof doors>
let task: Body
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  launch = doors(service)
  task = await make.task()
})
afterAll(() => service.close())

const path = ({ id }: Body) => `/api/v1/creatives/${id}`
const taskPath = ({ id }: Body) => `/api/v1/tasks/${id}`
let serial = 0
const freshName = () => `Live ${++serial}`
const fresh = (members = {}) => make.creative(task.id, { name: freshName(), ...members })
const launchesOf = (name: string): Promise<Body[]> =>
  service.rows('select ad_id, creative_id, launched_at from launches where name = $1 order by launched_at, id', [name])

test('a launch is recorded, and tells what its creative is now', async () => {
  const creative = await fresh()
  const [ad_id, launched_at] = [freshAdId(), '2026-10-11T12:13:14.150Z']
  const { body } = await launch.postCreatives({ launches: [{ name: creative.name, ad_id, launched_at }] })
  expect(body).toEqual({
    success: true,
    data: [{ name: creative.name, ad_id, creative_id: creative.id, recorded: true }],
    message: null,
    errors: null,
  })
  expect(await make.read(path(creative))).toEqual({ ...creative, ad_id, launched_at, test_status: 'in_test' })
})

test('the same launch again adds nothing, and says so', async () => {
  const { id, name } = await fresh()
  const entry = { name, ad_id: freshAdId(), launched_at: '2026-10-11T12:13:14.150Z' }
  await launch.creatives(entry)
  expect(await launch.creatives(entry)).toEqual([{ name, ad_id: entry.ad_id, creative_id: id, recorded: false }])
  expect(await launch.creatives({ ...entry, launched_at: '2026-10-11T14:13:14.15+02:00' })).toMatchObject([
    { recorded: false },
  ])
  expect(await launchesOf(name)).toHaveLength(1)
})

test('without a date a launch is now, and repeats any of the same ad_id', async () => {
  const { name, id } = await fresh()
  const ad_id = freshAdId()
  expect(await launch.creatives({ name, ad_id })).toMatchObject([{ recorded: true }])
  const { launched_at, created_at } = await make.read(path({ id }))
  expect(launched_at).toMatch(utc)
  expect(launched_at >= created_at).toBe(true)
  expect(await launch.creatives({ name, ad_id }, { name, ad_id, launched_at: null })).toMatchObject([
    { recorded: false },
    { recorded: false },
  ])
  expect(await launchesOf(name)).toHaveLength(1)
})

test('there is a row for each entry, in order, also for repeated ones and unknown names', async () => {
  const [a, b] = [await fresh(), await fresh()]
  const unknown = freshName()
  const [first, second] = [freshAdId(), freshAdId()]
  const at = '2026-10-11T12:13:14.150Z'
  expect(
    await launch.creatives(
      { name: b.name, ad_id: first },
      { name: unknown, ad_id: first },
      { name: a.name, ad_id: first, launched_at: at },
      { name: a.name, ad_id: first },
      { name: b.name, ad_id: first },
      { name: a.name, ad_id: first, launched_at: at },
      { name: unknown, ad_id: first, launched_at: null },
      { name: a.name, ad_id: second },
    ),
  ).toEqual([
    { name: b.name, ad_id: first, creative_id: b.id, recorded: true },
    { name: unknown, ad_id: first, creative_id: null, recorded: true },
    { name: a.name, ad_id: first, creative_id: a.id, recorded: true },
    { name: a.name, ad_id: first, creative_id: a.id, recorded: false },
    { name: b.name, ad_id: first, creative_id: b.id, recorded: false },
    { name: a.name, ad_id: first, creative_id: a.id, recorded: false },
    { name: unknown, ad_id: first, creative_id: null, recorded: false },
    { name: a.name, ad_id: second, creative_id: a.id, recorded: true },
  ])
  expect(
    [await launchesOf(a.name), await launchesOf(b.name), await launchesOf(unknown)].map((it) => it.length),
  ).toEqual([2, 1, 1])
})

test('of launches without a date in one request the last one counts', async () => {
  const { name, id } = await fresh()
  const ids = Array.from({ length: 20 }, freshAdId)
  await launch.creatives(...ids.toReversed().map((ad_id) => ({ name, ad_id })))
  expect(await make.read(path({ id }))).toMatchObject({ ad_id: ids[0] })
})

test('history is kept: the ad_id is the latest launch, the date the first, whatever the order of recording', async () => {
  const { name, id } = await fresh()
  const [first, second, third] = [freshAdId(), freshAdId(), freshAdId()]
  await launch.creatives({ name, ad_id: second, launched_at: '2026-02-02T00:00:00.000Z' })
  await launch.creatives({ name, ad_id: third, launched_at: '2026-03-03T00:00:00.000Z' })
  await launch.creatives({ name, ad_id: first, launched_at: '2026-01-01T00:00:00.000Z' })
  expect(await make.read(path({ id }))).toMatchObject({ ad_id: third, launched_at: '2026-01-01T00:00:00.000Z' })
  expect((await launchesOf(name)).map((it) => it.ad_id)).toEqual([first, second, third])
  await launch.creatives({ name, ad_id: first, launched_at: '2026-04-04T00:00:00.000Z' })
  expect(await make.read(path({ id }))).toMatchObject({ ad_id: first, launched_at: '2026-01-01T00:00:00.000Z' })
})

test('an ad_id is text, whatever it looks like', async () => {
  const odd = ['00012345678901234567890', '99999999999999999999', '1e5', '-0', ' 7', 'act_1/й "x"']
  const made = await Promise.all(odd.map(() => fresh()))
  await launch.creatives(...odd.map((ad_id, at) => ({ name: made[at].name, ad_id })))
  for (const [at, ad_id] of odd.entries()) expect((await make.read(path(made[at]))).ad_id).toBe(ad_id)
})

test('the first launch puts a task in test; later ones leave what people made of that', async () => {
  const { task: pack, creatives } = await make.taskWith([freshName(), freshName()])
  await launch.creatives({ name: creatives[0].name, ad_id: freshAdId() })
  expect(await make.read(taskPath(pack))).toMatchObject({ test_status: 'in_test', ad_id: null, launched_at: null })
  expect(await make.read(path(creatives[1]))).toMatchObject({ test_status: 'not_tested', ad_id: null })
  await make.patched(pack.id, { test_status: 'not_tested' })
  await launch.creatives({ name: creatives[0].name, ad_id: freshAdId() })
  await launch.creatives({ name: creatives[1].name, ad_id: freshAdId() })
  expect(await make.read(taskPath(pack))).toMatchObject({ test_status: 'not_tested' })
})

test('a launch changes no ETag and no updated_at, and is told in the activity', async () => {
  const { task: pack, creatives } = await make.taskWith([freshName()])
  const before = await service.get(taskPath(pack))
  const [creative] = creatives
  const integration = await service.integration(['launches:write'])
  const entry = { name: creative.name, ad_id: freshAdId() }
  await launch.postCreatives({ launches: [entry] }, { token: integration.token })
  await launch.postCreatives({ launches: [entry] }, { token: integration.token })
  const after = await service.get(taskPath(pack))
  expect(after.headers.etag).toBe(before.headers.etag)
  expect(after.data.updated_at).toBe(before.data.updated_at)
  const { items } = await make.read(`${taskPath(pack)}/activity`)
  const told = items.filter(({ kind }: Body) => kind === 'launch_recorded')
  expect(told).toMatchObject([{ subject_id: creative.id, by: { name: 'Test', user_id: null } }])
})

test('a launch of a name nobody has waits for the creative that is created with it', async () => {
  const [name, ad_id, launched_at] = [freshName(), freshAdId(), '2026-05-05T00:00:00.000Z']
  await launch.creatives({ name, ad_id, launched_at })
  const creative = await fresh({ name })
  expect(creative).toMatchObject({ ad_id, launched_at, test_status: 'in_test' })
  expect(await launchesOf(name)).toMatchObject([{ creative_id: creative.id }])
  expect(await launch.creatives({ name, ad_id })).toMatchObject([{ creative_id: creative.id, recorded: false }])
})

test('it waits for the creative that is renamed to it; launches under the old name stay with the creative', async () => {
  const creative = await fresh()
  const [name, old, ad_id] = [freshName(), freshAdId(), freshAdId()]
  await launch.creatives({ name: creative.name, ad_id: old, launched_at: '2026-01-01T00:00:00.000Z' })
  await launch.creatives({ name, ad_id, launched_at: '2026-02-02T00:00:00.000Z' })
  const { data } = await service.patch(path(creative), { name })
  expect(data).toMatchObject({ name, ad_id, launched_at: '2026-01-01T00:00:00.000Z' })
  const heir = await fresh({ name: creative.name })
  expect(heir).toMatchObject({ ad_id: null, test_status: 'not_tested' })
})

test('a creative that had the waiting launch already takes the name all the same', async () => {
  const creative = await fresh()
  const entry = { ad_id: freshAdId(), launched_at: '2026-01-01T00:00:00.000Z' }
  const name = freshName()
  await launch.creatives({ name: creative.name, ...entry }, { name, ...entry })
  const { status, text } = await service.patch(path(creative), { name })
  expect(status, text).toBe(200)
  expect(await launch.creatives({ name, ...entry })).toMatchObject([{ creative_id: creative.id, recorded: false }])
  expect(await service.rows('select 1 from launches where ad_id = $1', [entry.ad_id])).toHaveLength(1)
})

test('it waits for the creative that comes back with it', async () => {
  const creative = await fresh()
  await make.deleted(path(creative))
  const ad_id = freshAdId()
  expect(await launch.creatives({ name: creative.name, ad_id })).toMatchObject([{ creative_id: null, recorded: true }])
  expect(await make.read(path(creative))).toMatchObject({ ad_id: null })
  await make.restored(path(creative))
  expect(await make.read(path(creative))).toMatchObject({ ad_id, test_status: 'in_test' })
})

test('it waits for the task that comes back with its creatives', async () => {
  const { task: pack, creatives } = await make.taskWith([freshName(), freshName()])
  await make.deleted(taskPath(pack))
  const ad_id = freshAdId()
  await launch.creatives({ name: creatives[1].name, ad_id })
  const back = await make.restored(taskPath(pack))
  expect(back).toMatchObject({ test_status: 'in_test' })
  expect(await make.read(path(creatives[1]))).toMatchObject({ ad_id })
  expect(await make.read(path(creatives[0]))).toMatchObject({ ad_id: null })
})

test('the periodic look adopts what missed its creative while both were being written', async () => {
  const creative = await fresh()
  const ad_id = freshAdId()
  // The state after a race: the launch was committed without seeing the creative that was given the name meanwhile.
  await service.rows(
    `insert into launches (id, ad_id, launched_at, name) values (gen_random_uuid(), $1, now_ms(), $2)`,
    [ad_id, creative.name],
  )
  const again = async () => adoptWaitingLaunches(service.database)
  await again()
  expect(await make.read(path(creative))).toMatchObject({ ad_id, test_status: 'in_test' })
  await again()
  expect(await launchesOf(creative.name)).toHaveLength(1)
})

test('a launch that is sent again while it waits is known, and keeps the date of the first time', async () => {
  const [name, ad_id] = [freshName(), freshAdId()]
  await launch.creatives({ name, ad_id })
  const [before] = await launchesOf(name)
  expect(await launch.creatives({ name, ad_id })).toEqual([{ name, ad_id, creative_id: null, recorded: false }])
  expect(await launchesOf(name)).toEqual([before])
  const creative = await fresh({ name })
  expect(await launchesOf(name)).toEqual([{ ...before, creative_id: creative.id }])
})

test('it is known too where the creative is there, and has not been given it yet', async () => {
  const creative = await fresh()
  const ad_id = freshAdId()
  const entry = { name: creative.name, ad_id }
  // As above, the state after a race.
  await service.rows(
    `insert into launches (id, ad_id, launched_at, recorded_at, name)
     values (gen_random_uuid(), $1, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', $2)`,
    [ad_id, creative.name],
  )
  const again = { ...entry, creative_id: creative.id, recorded: false }
  expect(await launch.creatives(entry)).toEqual([again])
  expect(await launch.creatives({ ...entry, launched_at: '2026-01-01T00:00:00Z' })).toEqual([again])
  expect(await make.read(path(creative))).toMatchObject({ ad_id, launched_at: '2026-01-01T00:00:00.000Z' })
  expect(await launchesOf(creative.name)).toHaveLength(1)
})

test('what is sent again while the creative is deleted adds nothing when it comes back; what is new then is added', async () => {
  const { task: own, creatives } = await make.taskWith([freshName()])
  const { name } = creatives[0]
  const [first, latest, other] = [freshAdId(), freshAdId(), freshAdId()]
  await launch.creatives({ name, ad_id: first })
  await launch.creatives({ name, ad_id: latest })
  const before = await launchesOf(name)
  await make.deleted(taskPath(own))
  await launch.creatives({ name, ad_id: first })
  await launch.creatives({ name, ad_id: other, launched_at: '2026-01-01T00:00:00.000Z' })
  await make.restored(taskPath(own))
  expect(await make.read(path(creatives[0]))).toMatchObject({ ad_id: latest })
  expect(await launchesOf(name)).toMatchObject([{ ad_id: other, creative_id: creatives[0].id }, ...before])
})

test('the Idempotency-Key repeats the first answer', async () => {
  const { name } = await fresh()
  const ask = () =>
    launch.postCreatives(
      { launches: [{ name, ad_id: '23852150404470549' }] },
      { headers: { 'idempotency-key': name.replace(' ', '-') } },
    )
  const [first, again] = [await ask(), await ask()]
  expect(first.data).toMatchObject([{ recorded: true }])
  expect(again.text).toBe(first.text)
  expect(again.headers['idempotent-replayed']).toBe('true')
})

test('500 entries are taken, 501 are refused', async () => {
  const entries = Array.from({ length: 501 }, () => ({ name: freshName(), ad_id: freshAdId() }))
  const rows = await launch.creatives(...entries.slice(1))
  expect(rows.map(({ name, ad_id }) => ({ name, ad_id }))).toEqual(entries.slice(1))
  expect(rows.every(({ recorded }) => recorded)).toBe(true)
  expect(faults(await launch.postCreatives({ launches: entries }))).toEqual(['too_long body.launches'])
})

test('a bad entry refuses them all, and every error is told at its place', async () => {
  const name = freshName()
  const refused = async (...launches: unknown[]) => faults(await launch.postCreatives({ launches }))
  expect(await refused()).toEqual(['too_short body.launches'])
  expect(
    await refused({ name, ad_id: '1' }, { name: '', ad_id: ' \t\u3000' }, { ad_id: 5, launched_at: 'soon', extra: 1 }),
  ).toEqual([
    'string_too_short body.launches.1.name',
    'string_too_short body.launches.1.ad_id',
    'missing body.launches.2.name',
    'string_type body.launches.2.ad_id',
    'datetime_from_date_parsing body.launches.2.launched_at',
    'extra_forbidden body.launches.2.extra',
  ])
  expect(await launchesOf(name)).toEqual([])
  expect(faults(await launch.postCreatives({}))).toEqual(['missing body.launches'])
})

test('names and ad_ids of any 255 characters are kept; longer ones are refused', async () => {
  const name = Array.from({ length: 255 }, (_, at) => String.fromCodePoint(0x20000 + ((at * 7919) % 40_000))).join('')
  const ad_id = Array.from({ length: 255 }, (_, at) => String.fromCodePoint(0x20000 + ((at * 6007) % 40_000))).join('')
  expect(await launch.creatives({ name, ad_id, launched_at: '0001-01-01T00:00:00Z' })).toMatchObject([
    { recorded: true },
  ])
  expect(await launch.lookup({ ad_ids: [ad_id] })).toMatchObject([{ query: ad_id, creatives: [] }])
  const longer = await launch.postCreatives({ launches: [{ name: `${name}x`, ad_id: `${ad_id}x` }] })
  expect(faults(longer)).toEqual(['string_too_long body.launches.0.name', 'string_too_long body.launches.0.ad_id'])
})

test('recording takes the scope launches:write', async () => {
  const reader = await service.integration(['read', 'creatives:lookup', 'tasks:write'])
  const body = { launches: [{ name: freshName(), ad_id: '1' }] }
  expect(refusal(await launch.postCreatives(body, { token: reader.token }))).toEqual([403, 'insufficient_scope'])
  expect(refusal(await launch.postCreatives(body, { token: null }))).toEqual([401, 'unauthenticated'])
})

test('many recordings and writes of the same tasks at once all come through, each launch once', async () => {
  const packs = await Promise.all(Array.from({ length: 6 }, () => make.taskWith([freshName(), freshName()])))
  const creatives = packs.flatMap((pack) => pack.creatives)
  const ad_id = freshAdId()
  const nobodys = freshName()
  const entries = [...creatives.map(({ name }) => ({ name, ad_id })), { name: nobodys, ad_id }]
  const ids = packs.map((pack) => pack.task.id)
  const asked = Array.from({ length: 8 }, (_, turn) => [
    launch.postCreatives({ launches: turn % 2 ? entries : entries.toReversed() }),
    launch.postPacks({ launches: (turn % 2 ? ids : ids.toReversed()).map((task_id) => ({ task_id, ad_id })) }),
    service.post('/api/v1/tasks/bulk', {
      ids: turn % 2 ? ids : ids.toReversed(),
      patch: { notes: `turn ${turn}`, status: turn % 2 ? 'in_progress' : 'done' },
    }),
    service.patch(path(creatives[turn]), { completed: turn % 2 === 0 }),
  ]).flat()
  const replies = await Promise.all(asked)
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  const counts = await service.rows(
    'select creative_id, task_id, name, count(*)::integer as n from launches where ad_id = $1 group by 1, 2, 3',
    [ad_id],
  )
  expect(counts).toHaveLength(creatives.length + packs.length + 1)
  expect(counts.every(({ n }: Body) => n === 1)).toBe(true)
})
