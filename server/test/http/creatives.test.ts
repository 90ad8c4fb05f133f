// Facts about single creatives: how they are created, changed, deleted and restored, and how they are named.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { purge } from '../../src/features/tasks/purge.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, nobody, refusal, utc } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
let task: Body
let file: string
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  task = await make.task()
  file = await make.file()
})
afterAll(() => service.close())

const path = ({ id }: Body) => `/api/v1/creatives/${id}`
const add = (members: unknown, taskId = task.id) => service.post(`/api/v1/tasks/${taskId}/creatives`, members)
let serial = 0
const name = () => `Creative ${++serial}`

test('a creative needs nothing: without a body it gets the next canonical name', async () => {
  const owner = await make.task()
  const { status, data } = await service.post(`/api/v1/tasks/${owner.id}/creatives`)
  expect(status).toBe(200)
  expect(data).toMatchObject({
    task_id: owner.id,
    name: `T${owner.number}_01`,
    variation_num: null,
    file: null,
    completed: false,
    done: false,
    assignee_id: null,
    task_owner_id: null,
    in_work_at: null,
    ad_id: null,
    launched_at: null,
    test_status: 'not_tested',
    tags: [],
    deleted_at: null,
  })
  expect(data.created_at).toMatch(utc)
  expect(data.updated_at).toBe(data.created_at)
})

test('what is given is kept', async () => {
  const { id } = await service.person('writer')
  const members = {
    name: name(),
    variation_num: 4,
    tags: ['a', 'b "c"'],
    file,
    completed: true,
    assignee_id: id,
    task_owner_id: service.owner.id,
  }
  const { data } = await add(members)
  expect(data).toMatchObject({ ...members, done: true })
  expect(await make.read(path(data))).toEqual(data)
})

test('canonical names skip those that are taken, by anyone', async () => {
  const owner = await make.task()
  await make.creative(owner.id, { name: `T${owner.number}_01` })
  await make.creative(task.id, { name: `T${owner.number}_02` })
  expect((await make.creative(owner.id)).name).toBe(`T${owner.number}_03`)
})

test('the name of a deleted creative of the task is not given out: it may still come back', async () => {
  const owner = await make.task()
  const first = await make.creative(owner.id)
  await make.deleted(path(first))
  expect((await make.creative(owner.id)).name).toBe(`T${owner.number}_02`)
  expect((await make.restored(path(first))).name).toBe(first.name)
})

test('creatives made at once get different names', async () => {
  const owner = await make.task()
  const made = await Promise.all(Array.from({ length: 10 }, () => make.creative(owner.id)))
  expect(new Set(made.map((creative) => creative.name)).size).toBe(10)
  expect(
    made
      .map((creative) => creative.name)
      .toSorted()
      .at(-1),
  ).toBe(`T${owner.number}_10`)
})

test('a name is unique among live creatives, of whichever task', async () => {
  const other = await make.task()
  const first = await make.creative(task.id, { name: name() })
  for (const taskId of [task.id, other.id]) {
    const refused = await add({ name: first.name }, taskId)
    expect(refusal(refused)).toEqual([409, 'creative_name_taken'])
    expect(refused.body.conflicts).toEqual([
      { creative_id: null, name: first.name, taken_by: first.id, taken_by_task_id: task.id },
    ])
  }
  const second = await make.creative(other.id, { name: name() })
  const renamed = await service.patch(path(second), { name: first.name })
  expect(refusal(renamed)).toEqual([409, 'creative_name_taken'])
  expect(renamed.body.conflicts).toMatchObject([{ creative_id: second.id, taken_by: first.id }])
  expect((await service.patch(path(first), { name: first.name })).data).toEqual(first)
})

test('names are compared as they are written: case and spelling tell them apart', async () => {
  const base = name()
  for (const spelling of [base, base.toLowerCase(), `${base}.`]) {
    expect((await add({ name: spelling })).status, spelling).toBe(200)
  }
})

test('one of two who take a name at once gets it, the other is told who has it', async () => {
  const wanted = name()
  const answers = await Promise.all([add({ name: wanted }), add({ name: wanted })])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const winner = answers.find(({ status }) => status === 200)
  const loser = answers.find(({ status }) => status === 409)
  expect(loser?.body.conflicts[0].taken_by).toBe(winner?.data.id)
})

test('a patch changes what it names and nothing else', async () => {
  const creative = await make.creative(task.id, { name: name() })
  const { data } = await service.patch(path(creative), { variation_num: 2 })
  expect(data).toEqual({ ...creative, variation_num: 2, updated_at: data.updated_at })
  expect(await make.read(path(creative))).toEqual(data)
  const cleared = await service.patch(path(creative), { variation_num: null, file: null })
  expect(cleared.data).toMatchObject({ variation_num: null, file: null })
})

test('a patch that says what is there already changes nothing', async () => {
  const members = { name: name(), tags: ['x'], file, assignee_id: service.owner.id }
  const creative = await make.creative(task.id, members)
  const again = await service.patch(path(creative), { ...members, assignee_id: service.owner.id.toUpperCase() })
  expect(again.data).toEqual(creative)
  expect(again.headers.etag).toBe('"1"')
})

test('it is done with a file, or marked completed, and no longer without', async () => {
  const creative = await make.creative(task.id, { name: name() })
  const done = async (patch: unknown) => (await service.patch(path(creative), patch)).data.done
  expect(await done({ file })).toBe(true)
  expect(await done({ file: null })).toBe(false)
  expect(await done({ completed: true })).toBe(true)
  expect(await done({ completed: false })).toBe(false)
})

test('derived members cannot be written', async () => {
  const members = { ad_id: '12345678901234567', done: true, locale: 'de', launched_at: null, test_status: 'tested' }
  const refused = await add(members)
  expect(refused.status).toBe(422)
  expect(faults(refused)).toEqual(Object.keys(members).map((member) => `extra_forbidden body.${member}`))
  const creative = await make.creative(task.id, { name: name() })
  expect(faults(await service.patch(path(creative), members))).toEqual(faults(refused))
})

test('what is not a name, a variant, a file or a person is refused, all at once', async () => {
  const refused = await add({ name: ' ', variation_num: 0, file: 'abc', completed: null, tags: [''] })
  expect(faults(refused)).toEqual([
    'value_error body.name',
    'greater_than_equal body.variation_num',
    'string_too_short body.tags.0',
    'value_error body.file',
    'bool_type body.completed',
  ])
  expect(faults(await add({ assignee_id: nobody, task_owner_id: 'x' }))).toEqual([
    'value_error body.assignee_id',
    'value_error body.task_owner_id',
  ])
  expect(faults(await add({ name: null }))).toEqual(['string_type body.name'])
})

test('creatives of a task are listed by name, page by page, without the deleted ones', async () => {
  const owner = await make.task()
  const names = ['B', 'a', 'C', 'ä', 'A', 'b'].map((letter) => `${letter} ${owner.number}`)
  for (const given of names) await make.creative(owner.id, { name: given })
  await make.deleted(path(await make.creative(owner.id, { name: `0 ${owner.number}` })))
  const seen: string[] = []
  let cursor = ''
  for (;;) {
    const page = await make.read(`/api/v1/tasks/${owner.id}/creatives?limit=4${cursor}`)
    seen.push(...page.items.map((creative: Body) => creative.name))
    if (page.meta.next_cursor === null) break
    expect(page.items).toHaveLength(4)
    cursor = `&cursor=${page.meta.next_cursor}`
  }
  expect(seen).toEqual(names.toSorted())
})

test('a deleted creative is answered with its date, frees its name, and answers the same again', async () => {
  const creative = await make.creative(task.id, { name: name() })
  const first = await service.del(path(creative))
  expect(first.data.deleted_at).toMatch(utc)
  expect((await service.del(path(creative))).text).toBe(first.text)
  expect(await make.read(path(creative))).toEqual(first.data)
  expect((await add({ name: creative.name })).status).toBe(200)
})

test('a restored creative is as it was; a live one is answered as it is', async () => {
  const creative = await make.creative(task.id, { name: name(), file })
  await make.deleted(path(creative))
  const restored = await make.restored(path(creative))
  expect(restored).toEqual({ ...creative, updated_at: restored.updated_at })
  const again = await service.post(`${path(creative)}/restore`)
  expect([again.data, again.headers.etag]).toEqual([restored, '"3"'])
})

test('a taken name refuses the restore; a rename of either resolves it', async () => {
  const creative = await make.creative(task.id, { name: name() })
  await make.deleted(path(creative))
  const taker = await make.creative(task.id, { name: creative.name })
  const refused = await service.post(`${path(creative)}/restore`)
  expect(refusal(refused)).toEqual([409, 'creative_name_taken'])
  expect(refused.body.conflicts).toEqual([
    { creative_id: creative.id, name: creative.name, taken_by: taker.id, taken_by_task_id: task.id },
  ])
  expect(refused.body.detail).toContain('Rename this one or the other (PATCH /creatives/{id}), then restore again.')
  const renamed = name()
  expect((await service.patch(path(creative), { name: renamed })).status).toBe(200)
  expect((await make.restored(path(creative))).name).toBe(renamed)
})

test('of a deleted creative only the name may change', async () => {
  const creative = await make.creative(task.id, { name: name() })
  const deleted = await make.deleted(path(creative))
  for (const patch of [{ completed: true }, { name: name(), tags: [] }, { variation_num: null }]) {
    expect(refusal(await service.patch(path(creative), patch))).toEqual([409, 'creative_deleted'])
  }
  expect(await make.read(path(creative))).toEqual(deleted)
})

test('a creative comes back only while its task is live', async () => {
  const { task: owner, creatives } = await make.taskWith([name()])
  await make.deleted(path(creatives[0]))
  await make.deleted(`/api/v1/tasks/${owner.id}`)
  expect(refusal(await service.post(`${path(creatives[0])}/restore`))).toEqual([409, 'task_deleted'])
  await make.restored(`/api/v1/tasks/${owner.id}`)
  expect((await service.post(`${path(creatives[0])}/restore`)).status).toBe(200)
})

test('past the window a creative is gone, and its restore is told so, purged or not', async () => {
  const creative = await make.creative(task.id, { name: name() })
  await make.deleted(path(creative))
  await service.rows(`update creatives set deleted_at = deleted_at - interval '30 days' where id = $1`, [creative.id])
  const check = async () => {
    expect(refusal(await service.get(path(creative)))).toEqual([404, 'not_found'])
    expect(refusal(await service.get(`${path(creative)}/provenance`))).toEqual([404, 'not_found'])
    expect(refusal(await service.patch(path(creative), { name: name() }))).toEqual([404, 'not_found'])
    expect(refusal(await service.del(path(creative)))).toEqual([404, 'not_found'])
    expect(refusal(await service.post(`${path(creative)}/restore`))).toEqual([404, 'retention_over'])
  }
  await check()
  await purge(service.database)
  expect(await service.rows('select id from creatives where id = $1', [creative.id])).toEqual([])
  await check()
})

test('a creative or a task that is not there is not found', async () => {
  for (const id of [nobody, 'x']) {
    const answers = [
      await service.get(`/api/v1/creatives/${id}`),
      await service.patch(`/api/v1/creatives/${id}`, { name: name() }),
      await service.del(`/api/v1/creatives/${id}`),
      await service.post(`/api/v1/creatives/${id}/restore`),
      await add({}, id),
      await service.get(`/api/v1/tasks/${id}/creatives`),
    ]
    for (const answer of answers) expect(refusal(answer)).toEqual([404, 'not_found'])
  }
})
