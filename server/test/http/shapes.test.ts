// Facts about the shapes of responses: every member of the contract's tables is present with its type, and null where allowed.
import { defaultVocabulary, vocabularyNames } from '@atelier/contract/vocabulary.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { allowed, everyPlainMember, faults, makers } from '../support/make.ts'
import { faultsIn, fieldsOf, tables } from '../support/wire-tables.ts'

let service: Service
let make: ReturnType<typeof makers>
/** A task with every member set, and one with no optional member set. */
let full: Body
let blank: Body
/** Sets the members that only other features set, because these tests do not use those features. */
const bySql = `update tasks set ad_id = '12345678901234567', automation_state = 'failed', automation_error = 'no credits',
  automation_started_at = now_ms(), automation_ran_at = now_ms() where id = $1`

beforeAll(async () => {
  service = await startService()
  make = makers(service)
  full = (await make.whole()).task
  for (const status of ['in_progress', 'tech_check', 'in_progress', 'done']) await make.patched(full.id, { status })
  const creative = await make.creative(full.id, { variation_num: 1 })
  await make.task({ origin_creative_id: creative.id })
  await make.comment(full.id)
  await service.rows(bySql, [full.id])
  full = await make.read(`/api/v1/tasks/${full.id}`)
  blank = await make.task()
})
afterAll(() => service.close())

const deletedCards = async (): Promise<Map<string, Body>> => {
  const { tasks } = await make.read('/api/v1/tasks/deleted')
  return new Map(tasks.map((card: Body) => [card.id, card]))
}
const nullOnes = (value: Body): string[] => Object.keys(value).filter((name) => value[name] === null)
const nullable = (table: string): string[] => fieldsOf(table).flatMap((field) => (field.nullable ? [field.name] : []))

test('the tables are read whole', () => {
  const sizes = Object.fromEntries([...tables].map(([name, fields]) => [name, fields.length]))
  expect(sizes).toEqual({
    Envelope: 4,
    TaskCard: 46,
    TaskCardAutomation: 3,
    TaskIncludes: 4,
    CreativeItem: 6,
    TaskBoardMeta: 2,
    TasksBoardPage: 3,
    Task: 64,
    TaskRollups: 4,
    TaskAutomation: 4,
    TaskVariant: 13,
    NodeGraph: 11,
    GraphRun: 32,
    PendingInput: 4,
    ValidationError: 5,
  })
})

test('every member of Task is there with its type, set or not', () => {
  expect(faultsIn('Task', full)).toEqual([])
  expect(faultsIn('Task', blank)).toEqual([])
})

test('every nullable member of Task is null until it is set, and set it is not', () => {
  const derivedAtOnce = ['number', 'generated_name', 'status_entered_at']
  expect(nullOnes(blank).toSorted()).toEqual(
    [...nullable('Task').filter((name) => !derivedAtOnce.includes(name)), 'landing', 'funnel', 'cpp'].toSorted(),
  )
  expect(nullOnes(full)).toEqual(['deleted_at'])
})

test('every member of TaskCard is there with its type, set or not', async () => {
  for (const { id } of [full, blank]) await make.deleted(`/api/v1/tasks/${id}`)
  const cards = await deletedCards()
  for (const { id } of [full, blank]) expect(faultsIn('TaskCard', cards.get(id))).toEqual([])
  expect(nullOnes(cards.get(full.id))).toEqual([])
  for (const { id } of [full, blank]) await make.restored(`/api/v1/tasks/${id}`)
  const { tasks } = await make.read('/api/v1/tasks/board?limit=100')
  for (const card of tasks) expect(faultsIn('TaskCard', card)).toEqual([])
  const derivedAtOnce = ['number', 'generated_name', 'source']
  const blankCard = tasks.find(({ id }: Body) => id === blank.id)
  expect(nullOnes(blankCard).toSorted()).toEqual(
    nullable('TaskCard')
      .filter((name) => !derivedAtOnce.includes(name))
      .toSorted(),
  )
})

test('a card says of its task what the record says', async () => {
  const { tasks } = await make.read('/api/v1/tasks/board?limit=100')
  for (const card of tasks) {
    const { rollups, automation, ...task } = await make.read(`/api/v1/tasks/${card.id}`)
    const { creatives_total, creatives_done, creation_points, execution_points, ...shared } = card
    const { state, error, started_at } = automation
    expect({ ...task, ...shared, automation: { state, error, started_at } }).toEqual({
      ...task,
      automation: shared.automation,
    })
    expect(rollups).toMatchObject({ creation_points, execution_points })
    expect(creatives_done).toBeLessThanOrEqual(creatives_total)
  }
})

test('automation is an object of nulls where no handler ever ran', () => {
  expect(blank.automation).toEqual({ state: null, error: null, ran_at: null, started_at: null })
  expect(blank.rollups).toEqual({
    derived_task_count: 0,
    creation_points: null,
    execution_points: null,
    return_count: 0,
  })
})

test('every member of a page and its includes is there with its type', async () => {
  for (const feed of ['board', 'deleted']) {
    expect(faultsIn('TasksBoardPage', await make.read(`/api/v1/tasks/${feed}?limit=2`))).toEqual([])
  }
  const { included } = await make.read(`/api/v1/tasks/${full.id}?included=true`)
  expect(faultsIn('TaskIncludes', included)).toEqual([])
  expect(Object.keys(included.creatives)).toHaveLength(2)
  expect(included.task_creatives).toHaveLength(1)
})

test('every answer is an envelope with success, data, message and errors', async () => {
  const answers = [
    await service.get('/api/v1/tasks/deleted'),
    await service.post(`/api/v1/tasks/${blank.id}/restore`),
    await service.get(`/api/v1/tasks/${blank.id}`),
    await service.get('/api/v1/tasks/columns'),
  ]
  for (const { body } of answers) {
    expect(Object.keys(body)).toEqual(fieldsOf('Envelope').map(({ name }) => name))
    expect(body).toMatchObject({ success: true, message: null, errors: null })
    expect(body.data).not.toBeNull()
  }
})

test('every entry of a 422 has loc, msg and type, and nothing the contract does not know', async () => {
  const refused = [
    await service.get('/api/v1/tasks/deleted?limit=0&sort=x&cursor=x&query={&nope=1'),
    await service.post('/api/v1/tasks', { name: 7, priority: 9, geo: 'Mars', landing: 1, extra: true }),
    await service.post('/api/v1/tasks', { name: 'x', assignee_id: 'nobody' }),
    await service.ask('POST', '/api/v1/tasks', { raw: '{' }),
    await service.post(`/api/v1/tasks/${blank.id}/restore`, { x: 1 }),
    await service.get('/api/v1/tasks/a%00b'),
  ]
  const members = fieldsOf('ValidationError').map(({ name }) => name)
  for (const { status, body, headers } of refused) {
    expect(status).toBe(422)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(Object.keys(body)).toEqual(['detail'])
    expect(body.detail.length).toBeGreaterThan(0)
    for (const entry of body.detail) {
      expect(faultsIn('ValidationError', { input: null, ctx: {}, ...entry })).toEqual([])
      expect(['query', 'path', 'header', 'body']).toContain(entry.loc[0])
      for (const name of Object.keys(entry)) expect(members).toContain(name)
    }
  }
})

test('null clears every nullable member that people write, and any JSON', async () => {
  const { task } = await make.whole()
  const derived = [
    'number',
    'generated_name',
    'started_at',
    'submitted_at',
    'completed_at',
    'status_entered_at',
    'ad_id',
  ]
  const clearable = nullable('Task').filter((name) => !derived.includes(name) && name !== 'deleted_at')
  clearable.push('landing', 'funnel', 'cpp')
  expect(clearable).toHaveLength(35)
  for (const member of clearable) {
    const { status, text, data } = await service.patch(`/api/v1/tasks/${task.id}`, { [member]: null })
    expect(status, `${member}: ${text}`).toBe(200)
    expect(data[member], member).toBeNull()
  }
})

test('a member that is not nullable refuses null; source above all', async () => {
  const writable = [...Object.keys(everyPlainMember(service)), 'source_creative_ids']
  const firm = fieldsOf('Task').filter(
    ({ name, nullable, type }) => !nullable && type !== 'any' && writable.includes(name),
  )
  expect(firm.map(({ name }) => name)).toContain('source')
  expect(firm.length).toBeGreaterThan(8)
  for (const { name } of firm) {
    for (const asked of [
      service.patch(`/api/v1/tasks/${blank.id}`, { [name]: null }),
      service.post('/api/v1/tasks', { name: 'x', [name]: null }),
    ]) {
      const refused = await asked
      expect(refused.status, name).toBe(422)
      expect(faults(refused)).toEqual([expect.stringMatching(new RegExp(`body\\.${name}$`))])
    }
  }
})

test('every value of every vocabulary is taken, and one that is none is refused as an enum', async () => {
  const memberOf = { Language: 'language', VariedElement: 'varied_elements' } as Record<string, string>
  for (const name of vocabularyNames) {
    const member = memberOf[name] ?? name.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase()
    const wrap = (value: string) => (member === 'varied_elements' ? [value] : value)
    const last = allowed(service, name, defaultVocabulary[name].length - 1)
    for (const value of [allowed(service, name), last]) {
      expect((await make.patched(blank.id, { [member]: wrap(value) }))[member], name).toEqual(wrap(value))
    }
    const refused = await service.patch(`/api/v1/tasks/${blank.id}`, { [member]: wrap('No such value') })
    expect(faults(refused)).toEqual([member === 'varied_elements' ? `enum body.${member}.0` : `enum body.${member}`])
  }
})
