// Facts about creating a task: the required members, the defaults, and what is refused.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../support/harness.ts'
import { faults, makers, nobody, utc } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const create = (members: unknown) => service.post('/api/v1/tasks', members)

test('a task needs a name and nothing else', async () => {
  const { status, data } = await create({ name: 'Glow serum' })
  expect(status).toBe(200)
  expect(data.name).toBe('Glow serum')
  expect(faults(await create({}))).toEqual(['missing body.name'])
})

test('a new task has the defaults of the contract', async () => {
  const task = await make.task()
  expect(task).toMatchObject({
    schema_version: 3,
    status: 'backlog',
    test_status: 'not_tested',
    source: 'META',
    comment_count: 0,
    time_in_progress_seconds: 0,
    time_on_check_seconds: 0,
    is_legacy: false,
    manual_launch: false,
    planned_creative_names: [],
    planned_creatives_done: [],
    varied_elements: [],
    source_creative_ids: [],
    subtopics: [],
    variants: [],
    deleted_at: null,
  })
})

test('every writable member comes back as it was given', async () => {
  const { body, task } = await make.whole()
  expect(task).toMatchObject(body)
  expect(await make.read(`/api/v1/tasks/${task.id}`)).toEqual(task)
})

test('a task is dated once, by the database, in UTC with milliseconds', async () => {
  const task = await make.task()
  expect(task.created_at).toMatch(utc)
  expect(task.updated_at).toBe(task.created_at)
  expect(task.status_entered_at).toBe(task.created_at)
  const [row] = await service.rows('select created_at::text as at from tasks where id = $1', [task.id])
  expect(new Date(row.at).toISOString()).toBe(task.created_at)
})

test.each([
  ['2027-03-04T05:06:07Z', '2027-03-04T05:06:07.000Z'],
  ['2027-03-04T05:06:07.123456789+02:00', '2027-03-04T03:06:07.123Z'],
  ['2027-03-04t05:06:07.5z', '2027-03-04T05:06:07.500Z'],
  ['2024-02-29T23:59:59.999-11:30', '2024-03-01T11:29:59.999Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('the deadline %s is kept as %s', async (given, kept) => {
  const task = await make.task({ deadline_at: given })
  expect(task.deadline_at).toBe(kept)
  expect((await make.patched(task.id, { deadline_at: given })).updated_at).toBe(task.updated_at)
})

test('ids are UUIDs of version 7, and numbers rise and are never reused', async () => {
  const [first, second] = [await make.task(), await make.task()]
  expect(first.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(second.number).toBeGreaterThan(first.number)
  await service.rows('delete from tasks where id = $1', [second.id])
  expect((await make.task()).number).toBeGreaterThan(second.number)
})

test('an upper-case reference names the same person', async () => {
  const { id } = await service.person('writer')
  const task = await make.task({ assignee_id: id.toUpperCase() })
  expect(task.assignee_id).toBe(id)
  expect((await make.patched(task.id, { assignee_id: id.toUpperCase() })).updated_at).toBe(task.updated_at)
})

test('a derived member is refused like an unknown one, and all of them at once', async () => {
  const derived = {
    id: nobody,
    schema_version: 3,
    number: 1,
    generated_name: 'x',
    planned_creative_names: [],
    planned_creatives_done: [],
    rollups: {},
    automation: {},
    comment_count: 0,
    started_at: null,
    submitted_at: null,
    completed_at: null,
    time_in_progress_seconds: 0,
    time_on_check_seconds: 0,
    status_entered_at: null,
    ad_id: null,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    deleted_at: null,
    creatives_total: 0,
    creatives_done: 0,
    creation_points: null,
    execution_points: null,
    nmae: 'a typo',
  }
  const refused = await create({ name: 'Glow serum', ...derived })
  expect(refused.status).toBe(422)
  expect(faults(refused)).toEqual(Object.keys(derived).map((member) => `extra_forbidden body.${member}`))
})

test.each([
  ['null', null, 'string_type'],
  ['a number', 7, 'string_type'],
  ['nothing', '', 'string_too_short'],
  ['a blank', ' ', 'value_error'],
  ['blanks at an end', 'Glow ', 'value_error'],
  ['two lines', 'Glow\nserum', 'value_error'],
  ['256 characters', 'x'.repeat(256), 'string_too_long'],
])('a name cannot be %s', async (_what, name, type) => {
  expect(faults(await create({ name }))).toEqual([`${type} body.name`])
})

test('a name may have 255 characters of any script', async () => {
  const name = '夏'.repeat(255)
  expect((await make.task({ name })).name).toBe(name)
})

test('all errors of a body are told at once, in the order of the fields', async () => {
  const refused = await create({ priority: 6, geo: 'Mars', count: 1.5, variants: [{ key: 'a', variation_num: 0 }] })
  expect(refused.status).toBe(422)
  expect(faults(refused).toSorted()).toEqual([
    'enum body.geo',
    'greater_than_equal body.variants.0.variation_num',
    'int_from_float body.count',
    'less_than_equal body.priority',
    'missing body.name',
  ])
})

test('a value outside a vocabulary is refused as an enum that names the allowed ones', async () => {
  const { body } = await create({ name: 'Glow', source: 'meta' })
  expect(body.detail).toEqual([
    {
      type: 'enum',
      loc: ['body', 'source'],
      msg: expect.stringContaining("'META'"),
      input: 'meta',
      ctx: { expected: expect.stringContaining("'META'") },
    },
  ])
})

test('every reference that names nothing is told', async () => {
  const refused = await create({
    name: 'Glow',
    product_id: nobody,
    assignee_id: 'somebody',
    task_owner_id: service.owner.id,
    origin_creative_id: nobody,
    source_creative_ids: [nobody, "'; drop table tasks; --"],
  })
  expect(refused.status).toBe(422)
  expect(faults(refused)).toEqual([
    'value_error body.product_id',
    'value_error body.assignee_id',
    'value_error body.origin_creative_id',
    'value_error body.source_creative_ids.0',
    'value_error body.source_creative_ids.1',
  ])
})

test('clashing variants and references to nothing are told together', async () => {
  const refused = await create({
    name: 'Glow',
    assignee_id: nobody,
    variants: [
      { key: 'a', variation_num: 1 },
      { key: 'a', variation_num: 1 },
    ],
  })
  expect(faults(refused)).toEqual([
    'value_error body.variants.1.key',
    'value_error body.variants.1.variation_num',
    'value_error body.assignee_id',
  ])
})

test('a refused task leaves nothing behind', async () => {
  const count = async () => (await service.rows('select count(*)::int as n from tasks'))[0].n
  const before = await count()
  await create({ name: 'Glow', assignee_id: nobody })
  expect(await count()).toBe(before)
})

test('a variant needs a key and a number from 1, and gets every other member', async () => {
  const task = await make.task({ variants: [{ key: 'a', variation_num: 1 }] })
  expect(task.variants).toEqual([
    {
      key: 'a',
      variation_num: 1,
      primary_anchor: null,
      audience: null,
      awareness_stage: null,
      messaging_angle: null,
      hook_trigger: null,
      hook_type: null,
      ad_format: null,
      notes: null,
      tag_slugs: [],
      description: null,
      completed: false,
    },
  ])
  expect(faults(await create({ name: 'Glow', variants: [{}] }))).toEqual([
    'missing body.variants.0.key',
    'missing body.variants.0.variation_num',
  ])
  const zero = await create({ name: 'Glow', variants: [{ key: 'a', variation_num: 0 }] })
  expect(zero.body.detail[0]).toMatchObject({ type: 'greater_than_equal', ctx: { ge: 1 } })
})

test('a launch date is taken only together with manual_launch', async () => {
  const launched_at = '2026-10-11T12:13:14.150Z'
  expect(faults(await create({ name: 'Glow', launched_at }))).toEqual(['value_error body.launched_at'])
  expect(faults(await create({ name: 'Glow', launched_at, manual_launch: false }))).toEqual([
    'value_error body.launched_at',
  ])
  expect(faults(await create({ name: 'Glow', launched_at, product_id: nobody }))).toEqual([
    'value_error body.launched_at',
    'value_error body.product_id',
  ])
  expect(await make.task({ launched_at, manual_launch: true })).toMatchObject({ launched_at, manual_launch: true })
})

test('any JSON is a landing, a funnel and a cpp', async () => {
  for (const value of [0, false, '', 'NULL', [], {}, [null], { a: { b: [1.5, 'x', null] } }, 'nul\\u0000l']) {
    const task = await make.task({ landing: value, funnel: value, cpp: value })
    expect([task.landing, task.funnel, task.cpp]).toEqual([value, value, value])
  }
})

test('a large number in any JSON is kept as it is, or refused with what it would become', async () => {
  const sent = async (number: string) =>
    service.ask('POST', '/api/v1/tasks', { raw: `{"name":"Large","landing":{"seed":[${number}]},"priority":1}` })
  for (const number of ['9007199254740992', '-9007199254740992', '1e21', '18446744073709552000']) {
    const { status, data } = await sent(number)
    expect([number, status, data?.landing]).toEqual([number, 200, { seed: [Number(number)] }])
  }
  const { status, text } = await sent('9007199254740993')
  expect(status).toBe(422)
  expect(JSON.parse(text).detail).toMatchObject([{ type: 'value_error', loc: ['body', 'landing', 'seed', 0] }])
  expect(text).toContain('this number would become 9007199254740992: send that, or the digits as a text')
  expect(text).toContain('"input":9007199254740993')
})

test('a large number where a count is asked for is too large, by the bound there is', async () => {
  const raw = '{"name":"Large","priority":9007199254740993,"count":9007199254740992}'
  const reply = await service.ask('POST', '/api/v1/tasks', { raw })
  expect(faults(reply)).toEqual(['less_than_equal body.priority', 'less_than_equal body.count'])
})

test('a body that is not an object is refused', async () => {
  for (const body of [[], 'name', 7, null]) expect((await create(body)).status).toBe(422)
  expect(faults(await create(undefined))).toEqual(['missing body'])
})
