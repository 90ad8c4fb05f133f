// Facts about the creative lookup: what other systems get by creative name or campaign id, exactly as the contract says.
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { StatementCache } from '../../src/platform/embedded-statements.ts'
import { type Body, engine, type Service, startService } from '../support/harness.ts'
import { doors, freshAdId } from '../support/launch.ts'
import { allowed, faults, makers, refusal, utc } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
let door: ReturnType<typeof doors>
let integration: { token: string }
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  door = doors(service)
  integration = await service.integration(['creatives:lookup'])
})
afterAll(() => service.close())

let serial = 0
const freshName = () => `Looked up ${++serial}`
const lookup = (body: unknown) => door.lookup(body, integration)
const refused = async (body: unknown) => faults(await door.postLookup(body, integration))
/** Looks up the one creative that has this name. */
const one = async (name: string): Promise<Body> => {
  const [row] = await lookup({ names: [name] })
  expect(row.creatives).toHaveLength(1)
  return row.creatives[0]
}
const idsIn = (rows: Body[]) => rows.map(({ creatives }) => creatives.map(({ id }: Body) => id))

test('a creative is told whole: every member of a CreativeRef', async () => {
  const { body, task, person } = await make.whole()
  const [variant] = task.variants
  const creative = await make.creative(task.id, { name: freshName(), variation_num: 1 })
  const ad_id = freshAdId()
  await door.creatives({ name: creative.name, ad_id })
  expect(await lookup({ names: [creative.name], ad_ids: [ad_id] })).toEqual(
    ['name', 'ad_id'].map((handle) => ({
      query: handle === 'name' ? creative.name : ad_id,
      handle,
      creatives: [
        {
          id: creative.id,
          name: creative.name,
          ad_id,
          locale: body.language,
          geo: body.geo,
          subject: body.subject,
          topic: body.topic,
          subtopics: body.subtopics,
          primary_anchor: variant.primary_anchor,
          audience: variant.audience,
          awareness_stage: variant.awareness_stage,
          messaging_angle: variant.messaging_angle,
          hook_trigger: variant.hook_trigger,
          hook_type: variant.hook_type,
          ad_format: variant.ad_format,
          tags: variant.tag_slugs,
          traffic_flow: body.traffic_flow,
          landing: body.landing,
          funnel: body.funnel,
          cpp: body.cpp,
          varied_elements: body.varied_elements,
          task_owner: { name: 'Owner', initials: 'O' },
          assignee: { name: 'A writer', initials: 'AW' },
          created_at: creative.created_at,
        },
      ],
    })),
  )
  expect(person.id).toBe(task.assignee_id)
})

test('what a creative does not have is null or empty, and there all the same', async () => {
  const { id } = await make.task()
  const { name } = await make.creative(id, { name: freshName() })
  const { created_at, ...ref } = await one(name)
  expect(created_at).toMatch(utc)
  const nulls = `ad_id locale geo subject topic primary_anchor audience awareness_stage messaging_angle hook_trigger
    hook_type ad_format traffic_flow landing funnel cpp task_owner assignee`.split(/\s+/)
  const lists = ['subtopics', 'tags', 'varied_elements']
  expect(ref).toEqual({
    id: expect.any(String),
    name,
    ...Object.fromEntries(nulls.map((member) => [member, null])),
    ...Object.fromEntries(lists.map((member) => [member, []])),
  })
})

test('the answer is a bare array, a row for each handle: names first, then ad_ids, as they were asked', async () => {
  const { creatives } = await make.taskWith([freshName(), freshName()])
  const [a, b] = creatives
  const [first, second] = [freshAdId(), freshAdId()]
  await door.creatives({ name: a.name, ad_id: first }, { name: b.name, ad_id: second })
  const body = { ad_ids: [second, 'nothing', first, second], names: [b.name, 'nobody', b.name, a.name] }
  const reply = await door.postLookup(body, integration)
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(reply.body.map(({ query, handle }: Body) => [handle, query])).toEqual([
    ...body.names.map((name) => ['name', name]),
    ...body.ad_ids.map((ad_id) => ['ad_id', ad_id]),
  ])
  expect(idsIn(reply.body)).toEqual([[b.id], [], [b.id], [a.id], [b.id], [], [a.id], [b.id]])
})

test('what nothing carries has an empty row, and never a 404', async () => {
  expect(await lookup({ names: ['nobody'], ad_ids: ['23852150404470549'] })).toEqual([
    { query: 'nobody', handle: 'name', creatives: [] },
    { query: '23852150404470549', handle: 'ad_id', creatives: [] },
  ])
})

test('an empty list is a list', async () => {
  for (const body of [{ names: [] }, { ad_ids: [] }, { names: [], ad_ids: [] }]) {
    const { status, text } = await door.postLookup(body, integration)
    expect([status, text]).toEqual([200, '[]'])
  }
})

test('a body naming neither list, or something that is none, is refused', async () => {
  expect(await refused({})).toEqual(['value_error body'])
  expect(await refused({ names: null })).toEqual(['list_type body.names'])
  expect(await refused({ names: ['x'], ad_ids: null })).toEqual(['list_type body.ad_ids'])
  expect(await refused({ names: 'x' })).toEqual(['list_type body.names'])
  expect(await refused({ names: ['x'], limit: 1 })).toEqual(['extra_forbidden body.limit'])
  expect(await refused([])).toEqual(['model_attributes_type body'])
  expect(
    faults(await service.ask('POST', '/api/v1/integrations/creative-tests/creatives/lookup', integration)),
  ).toEqual(['missing body'])
})

test('a blank handle is refused at its place', async () => {
  expect(await refused({ names: ['x', '', ' \t\n\u00a0'], ad_ids: ['  '] })).toEqual([
    'string_too_short body.names.1',
    'string_too_short body.names.2',
    'string_too_short body.ad_ids.0',
  ])
  expect(await refused({ names: ['x', null], ad_ids: [2385215040447] })).toEqual([
    'string_type body.names.1',
    'string_type body.ad_ids.0',
  ])
})

test('a campaign id that is a number is refused as no text, with its digits as they were sent', async () => {
  const path = '/api/v1/integrations/creative-tests/creatives/lookup'
  const reply = await service.ask('POST', path, { ...integration, raw: '{"ad_ids":["1",120215811027660439]}' })
  expect(reply.text).toBe(
    '{"detail":[{"type":"string_type","loc":["body","ad_ids",1],"msg":"Input should be a valid string","input":120215811027660439}]}',
  )
})

test('500 of each are answered, 501 of either refused', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `handle ${at}`)
  expect(await lookup({ names: many(500), ad_ids: many(500) })).toHaveLength(1000)
  expect(await refused({ names: many(501) })).toEqual(['too_long body.names'])
  expect(await refused({ ad_ids: many(501) })).toEqual(['too_long body.ad_ids'])
  expect(await refused({ names: many(501), ad_ids: many(501) })).toEqual([
    'too_long body.names',
    'too_long body.ad_ids',
  ])
})

test('a handle may be of any length', async () => {
  const long = 'x'.repeat(100_000)
  expect(await lookup({ names: [long], ad_ids: [long] })).toMatchObject([{ query: long }, { query: long }])
})

test('a name is matched exactly, and told as it was asked', async () => {
  const name = `Größe "A\\B" {x},% ${freshName()}`
  const { creatives } = await make.taskWith([name])
  const others = [name.toUpperCase(), name.normalize('NFD'), ` ${name}`, `${name} `, name.slice(0, -1), '%']
  const rows = await lookup({ names: [name, ...others] })
  expect(rows.map(({ query }) => query)).toEqual([name, ...others])
  expect(idsIn(rows)).toEqual([[creatives[0].id], ...others.map(() => [])])
})

test('only live creatives resolve', async () => {
  const { task, creatives } = await make.taskWith([freshName(), freshName()])
  const [a, b] = creatives
  const ad_id = freshAdId()
  await door.packs({ task_id: task.id, ad_id })
  const ask = async () => idsIn(await lookup({ names: [a.name, b.name], ad_ids: [ad_id] }))
  expect(await ask()).toEqual([[a.id], [b.id], [a.id, b.id]])
  await make.deleted(`/api/v1/creatives/${a.id}`)
  expect(await ask()).toEqual([[], [b.id], [b.id]])
  await make.deleted(`/api/v1/tasks/${task.id}`)
  expect(await ask()).toEqual([[], [], []])
  await make.restored(`/api/v1/tasks/${task.id}`)
  expect(await ask()).toEqual([[], [b.id], [b.id]])
})

test('a name resolves to whoever has it now', async () => {
  const { creatives } = await make.taskWith([freshName()])
  const [{ id, name }] = creatives
  await service.patch(`/api/v1/creatives/${id}`, { name: freshName() })
  expect(idsIn(await lookup({ names: [name] }))).toEqual([[]])
  const heir = await make.creative((await make.task()).id, { name })
  expect(idsIn(await lookup({ names: [name] }))).toEqual([[heir.id]])
})

test('an ad_id resolves to all that were ever launched under it, by themselves or as a pack: each once, oldest first', async () => {
  const [one, two] = [await make.taskWith([freshName(), freshName()]), await make.taskWith([freshName()])]
  const [a, b] = one.creatives
  const [c] = two.creatives
  const [shared, own, later] = [freshAdId(), freshAdId(), freshAdId()]
  await door.creatives({ name: c.name, ad_id: shared }, { name: a.name, ad_id: shared }, { name: a.name, ad_id: own })
  await door.packs({ task_id: one.task.id, ad_id: shared, launched_at: '2026-01-01T00:00:00.000Z' })
  await door.packs({ task_id: one.task.id, ad_id: shared, launched_at: '2026-02-01T00:00:00.000Z' })
  await door.packs({ task_id: one.task.id, ad_id: later })
  // `a` and `c` get the same, older creation time, so that the order by time differs from the order by id.
  await service.rows(`update creatives set created_at = '2026-01-01' where id = any($1)`, [[a.id, c.id]])
  const d = await make.creative(one.task.id, { name: freshName() })
  const rows = await lookup({ ad_ids: [shared, own, later, shared] })
  expect(idsIn(rows)).toEqual([[a.id, c.id, b.id, d.id], [a.id], [a.id, b.id, d.id], [a.id, c.id, b.id, d.id]])
  expect(rows[0].creatives.map(({ ad_id }: Body) => ad_id)).toEqual([own, shared, later, later])
})

test('a launch that waits for a name resolves once a creative has it', async () => {
  const [name, ad_id] = [freshName(), freshAdId()]
  await door.creatives({ name, ad_id })
  expect(idsIn(await lookup({ names: [name], ad_ids: [ad_id] }))).toEqual([[], []])
  const { id } = await make.creative((await make.task()).id, { name })
  expect(idsIn(await lookup({ names: [name], ad_ids: [ad_id] }))).toEqual([[id], [id]])
})

test('an ad_id is text: leading zeros and more digits than a number holds', async () => {
  const { creatives } = await make.taskWith([freshName(), freshName()])
  const [zeros, digits] = ['00023852150404470549', '9007199254740993']
  await door.creatives({ name: creatives[0].name, ad_id: zeros }, { name: creatives[1].name, ad_id: digits })
  const { text, body } = await door.postLookup({ ad_ids: [zeros, digits, '23852150404470549', '9007199254740992'] })
  expect(idsIn(body)).toEqual([[creatives[0].id], [creatives[1].id], [], []])
  expect(text).toContain(`"ad_id":"${digits}"`)
})

test('varied_elements are always those of the pack, as they are now', async () => {
  const value = (at: number) => allowed(service, 'VariedElement', at)
  const { task, creatives } = await make.taskWith([freshName()], { varied_elements: [value(1)] })
  expect((await one(creatives[0].name)).varied_elements).toEqual([value(1)])
  await make.patched(task.id, { varied_elements: [value(2), value(0)] })
  expect((await one(creatives[0].name)).varied_elements).toEqual([value(2), value(0)])
})

test('a creative from before the rollup is answered from its pack, as a whole', async () => {
  const { body, task } = await make.whole()
  const { name, id } = await make.creative(task.id, { name: freshName(), variation_num: 1 })
  const expected = await one(name)
  // A creative as an import leaves it: not rolled up, and its own attributes must not be mixed with those of the pack.
  await service.rows(
    `update creatives set rolled_up_at = null, locale = null, subject = 'Old', topic = 'Old', tags = '{old}',
      subtopics = '{}', landing = '"old"', geo = null, hook_type = null, cpp = null where id = $1`,
    [id],
  )
  expect(await one(name)).toEqual(expected)
  expect(expected.subject).toBe(body.subject)
  await make.patched(task.id, { subject: 'Newer', topic: null })
  expect(await one(name)).toEqual({ ...expected, subject: 'Newer', topic: null })
})

test("people: a creative's own, else its pack's; by name and initials", async () => {
  const people = await Promise.all((['writer', 'reader', 'admin'] as const).map((role) => service.person(role)))
  const [a, b, c] = people.map(({ id }) => id)
  for (const [id, name] of [
    [a, 'Ana María Ortiz'],
    [b, 'zoë'],
    [c, null],
  ]) {
    await service.rows('update users set name = $2 where id = $1', [id, name])
  }
  const { task, creatives } = await make.taskWith([freshName(), freshName()], { assignee_id: a, task_owner_id: b })
  await service.patch(`/api/v1/creatives/${creatives[1].id}`, { assignee_id: c })
  expect(await one(creatives[0].name)).toMatchObject({
    assignee: { name: 'Ana María Ortiz', initials: 'AO' },
    task_owner: { name: 'zoë', initials: 'Z' },
  })
  expect(await one(creatives[1].name)).toMatchObject({
    assignee: { name: null, initials: null },
    task_owner: { name: 'zoë', initials: 'Z' },
  })
  await make.patched(task.id, { assignee_id: null })
  expect(await one(creatives[0].name)).toMatchObject({ assignee: null })
})

test('a former person keeps the name', async () => {
  const { id } = await service.person('writer')
  const { creatives } = await make.taskWith([freshName()], { task_owner_id: id })
  await service.rows('update users set active = false where id = $1', [id])
  expect(await one(creatives[0].name)).toMatchObject({ task_owner: { name: 'A writer', initials: 'AW' } })
})

/** Every statement that is sent to the database while `work` runs, except the background ones. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const heard: unknown[][] =
    engine === 'postgres'
      ? vi.spyOn(pg.Client.prototype, 'query').mock.calls
      : vi.spyOn(StatementCache.prototype, 'get').mock.calls
  await work()
  vi.restoreAllMocks()
  return (
    heard
      .map(([asked]) => (typeof asked === 'object' && asked && 'text' in asked ? String(asked.text) : String(asked)))
      // Leaves out what the process sends in the background: connection checks, change notices and queue statements.
      .filter((text) => text !== 'select 1' && !/pg_notify|pgboss/.test(text))
  )
}

test('a batch of packs and names is at most three statements, whether of one handle or of a thousand', async () => {
  const people = { assignee_id: service.owner.id }
  const { task, creatives } = await make.taskWith([freshName(), freshName(), freshName()], people)
  const ids = Array.from({ length: 500 }, freshAdId)
  await door.packs(...ids.map((ad_id) => ({ task_id: task.id, ad_id })))
  const names = [...creatives.map(({ name }) => name), ...Array.from({ length: 497 }, freshName)]
  await lookup({ names }) // this caches the token and the people
  const countOf = async (body: unknown) => (await statementsOf(() => lookup(body))).length
  expect(await countOf({ names, ad_ids: ids })).toBe(3)
  expect(await countOf({ ad_ids: ids.slice(0, 1) })).toBe(2)
  expect(await countOf({ names })).toBe(1)
  expect(await countOf({ names: names.slice(0, 1) })).toBe(1)
  expect(await countOf({ names: ['nobody'] })).toBe(1)
  expect(await countOf({ names: [] })).toBe(0)
})

test('a pack whose creatives have people of their own takes a statement more, and people who were changed take another', async () => {
  const { task, creatives } = await make.taskWith([freshName(), freshName()])
  const [mixed, single] = [freshAdId(), freshAdId()]
  const { id } = await service.person('writer')
  await service.patch(`/api/v1/creatives/${creatives[0].id}`, { assignee_id: id })
  await door.packs({ task_id: task.id, ad_id: mixed })
  await door.creatives({ name: creatives[1].name, ad_id: single })
  const asked = { names: [creatives[0].name], ad_ids: [mixed, single] }
  await lookup(asked) // this caches the token and the people
  const count = async () => (await statementsOf(() => lookup(asked))).length
  expect(await count()).toBe(4)
  await service.rows(`update users set name = 'Renamed' where id = $1`, [id])
  expect(await count()).toBe(5)
})

test('the lookup takes the scope creatives:lookup', async () => {
  const { token } = await service.integration(['read', 'launches:write'])
  expect(refusal(await door.postLookup({ names: ['x'] }, { token }))).toEqual([403, 'insufficient_scope'])
  expect(refusal(await door.postLookup({ names: ['x'] }, { token: null }))).toEqual([401, 'unauthenticated'])
})
