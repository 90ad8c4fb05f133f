// Facts about changing a task: which members a patch changes, which it keeps, and who is refused.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../support/harness.ts'
import { everyPlainMember, faults, makers, nobody, refusal } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

/** Members that the server derives from others; a patch of other members may change them. */
const following = [
  'updated_at',
  'generated_name',
  'planned_creative_names',
  'planned_creatives_done',
  'rollups',
  'status_entered_at',
]

const without = (task: Record<string, unknown>, members: readonly string[]) =>
  Object.fromEntries(Object.entries(task).filter(([member]) => !members.includes(member)))

test('a patch changes the member it names, and of the others only what follows from it', async () => {
  const before = await make.task()
  for (const [member, value] of Object.entries(everyPlainMember(service))) {
    // launched_at is writable only with manual_launch, so the patch sets manual_launch first.
    const patch = member === 'launched_at' ? { manual_launch: true, launched_at: value } : { [member]: value }
    const task = await make.task()
    const after = await make.patched(task.id, patch)
    expect(after[member], member).toEqual(value)
    const touched = [...following, ...Object.keys(patch), 'id', 'number', 'created_at']
    expect(without(after, touched), member).toEqual(without(before, touched))
    expect(await make.read(`/api/v1/tasks/${task.id}`)).toEqual(after)
  }
})

test('many members change at once', async () => {
  const task = await make.task()
  const patch = everyPlainMember(service)
  expect(await make.patched(task.id, patch)).toMatchObject(patch)
})

test('a change moves updated_at and leaves created_at', async () => {
  const task = await make.task()
  await service.rows(
    `update tasks set created_at = created_at - interval '1 day', updated_at = updated_at - interval '1 day'`,
  )
  const old = await make.read(`/api/v1/tasks/${task.id}`)
  const changed = await make.patched(task.id, { notes: 'Shorter.' })
  expect(changed.created_at).toBe(old.created_at)
  expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(old.updated_at))
})

test('a patch that says what is there already changes nothing: no date, no ETag, no activity', async () => {
  const { body, task } = await make.whole()
  const again = await service.patch(`/api/v1/tasks/${task.id}`, body)
  expect(again.data).toEqual(task)
  expect(again.headers.etag).toBe('"1"')
  expect((await service.patch(`/api/v1/tasks/${task.id}`, {})).data).toEqual(task)
  const activity = await make.read(`/api/v1/tasks/${task.id}/activity`)
  expect(activity.items.map(({ kind }: { kind: string }) => kind)).toEqual(['task_created'])
})

test('null clears a member; a member left out stays', async () => {
  const { task } = await make.whole()
  const after = await make.patched(task.id, { notes: null, priority: null, landing: null, assignee_id: null })
  expect(after).toMatchObject({ notes: null, priority: null, landing: null, assignee_id: null })
  expect(after).toMatchObject({ hypothesis: task.hypothesis, funnel: task.funnel, task_owner_id: task.task_owner_id })
})

test('variants and lists are replaced as a whole', async () => {
  const { task } = await make.whole()
  const variants = [{ key: 'b', variation_num: 7 }]
  const after = await make.patched(task.id, { variants, subtopics: [], varied_elements: [], source_creative_ids: [] })
  expect(after.variants).toEqual([expect.objectContaining({ key: 'b', variation_num: 7, notes: null, tag_slugs: [] })])
  expect([after.subtopics, after.varied_elements, after.source_creative_ids]).toEqual([[], [], []])
})

test('keys and numbers of variants are unique within a task, and two tasks may share them', async () => {
  const variants = [
    { key: 'a', variation_num: 1 },
    { key: 'b', variation_num: 1 },
    { key: 'a', variation_num: 2 },
  ]
  const task = await make.task()
  const clash = await service.patch(`/api/v1/tasks/${task.id}`, { variants })
  expect(clash.status).toBe(422)
  expect(faults(clash)).toEqual(['value_error body.variants.2.key', 'value_error body.variants.1.variation_num'])
  const first = [variants[0]]
  await make.patched(task.id, { variants: first })
  expect((await make.task({ variants: first })).variants).toHaveLength(1)
})

test('derived members cannot be patched', async () => {
  const task = await make.task()
  const patch = { number: 1, generated_name: 'x', comment_count: 1, rollups: {}, started_at: null, ad_id: '1' }
  const refused = await service.patch(`/api/v1/tasks/${task.id}`, patch)
  expect(refused.status).toBe(422)
  expect(faults(refused)).toEqual(Object.keys(patch).map((member) => `extra_forbidden body.${member}`))
})

test('a launch date is taken while manual_launch is true, and refused otherwise', async () => {
  const launched_at = '2026-10-11T12:13:14.150Z'
  const task = await make.task()
  const refused = await service.patch(`/api/v1/tasks/${task.id}`, { launched_at })
  expect(faults(refused)).toEqual(['value_error body.launched_at'])
  await make.patched(task.id, { manual_launch: true })
  expect(await make.patched(task.id, { launched_at })).toMatchObject({ launched_at })
  expect(await make.patched(task.id, { launched_at: null })).toMatchObject({ launched_at: null })
  const turnedOff = await service.patch(`/api/v1/tasks/${task.id}`, { manual_launch: false, launched_at })
  expect(faults(turnedOff)).toEqual(['value_error body.launched_at'])
})

test('a task that is not there cannot be changed, whatever its id looks like', async () => {
  for (const id of [nobody, 'nothing', '1', '%20', '019a0000-0000-7000-8000-00000000000g']) {
    expect(refusal(await service.patch(`/api/v1/tasks/${id}`, { notes: 'x' }))).toEqual([404, 'not_found'])
    expect(refusal(await service.get(`/api/v1/tasks/${id}`))).toEqual([404, 'not_found'])
  }
})

test('an id may be written in upper case', async () => {
  const task = await make.task()
  const path = `/api/v1/tasks/${task.id.toUpperCase()}`
  expect(await make.read(path)).toEqual(task)
  expect((await service.patch(path, { notes: 'x' })).data.notes).toBe('x')
})

test('a deleted task takes no change', async () => {
  const task = await make.task()
  const deleted = await make.deleted(`/api/v1/tasks/${task.id}`)
  const refused = await service.patch(`/api/v1/tasks/${task.id}`, { notes: 'x' })
  expect(refusal(refused)).toEqual([409, 'task_deleted'])
  expect(await make.read(`/api/v1/tasks/${task.id}`)).toEqual(deleted)
})

test('a refused patch changes nothing, not even by halves', async () => {
  const task = await make.task()
  await service.patch(`/api/v1/tasks/${task.id}`, { notes: 'x', status: 'done', assignee_id: nobody })
  expect(await make.read(`/api/v1/tasks/${task.id}`)).toEqual(task)
})

test('a patch needs a body', async () => {
  const task = await make.task()
  const path = `/api/v1/tasks/${task.id}`
  expect(faults(await service.ask('PATCH', path))).toEqual(['missing body'])
  expect(faults(await service.patch(path, null))).toEqual(['missing body'])
})

test('two patches at once both hold', async () => {
  const task = await make.task()
  const patches = [{ notes: 'x' }, { hypothesis: 'y' }, { status: 'in_progress' }, { count: 3 }, { priority: 1 }]
  await Promise.all(patches.map((patch) => make.patched(task.id, patch)))
  expect(await make.read(`/api/v1/tasks/${task.id}`)).toMatchObject(Object.assign({}, ...patches))
})
