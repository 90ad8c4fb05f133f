// Facts about activity: who did what to a task, and when.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers, utc } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const activity = async (task: Body, query = ''): Promise<Body> => make.read(`/api/v1/tasks/${task.id}/activity${query}`)
const latest = async (task: Body): Promise<Body> => (await activity(task)).items[0]
const kinds = async (task: Body): Promise<string[]> => (await activity(task)).items.map(({ kind }: Body) => kind)

test('every act on a task is told, newest first', async () => {
  const task = await make.task()
  await make.patched(task.id, { priority: 1 })
  await make.patched(task.id, { status: 'in_progress' })
  const creative = await make.creative(task.id)
  await service.patch(`/api/v1/creatives/${creative.id}`, { completed: true })
  await make.deleted(`/api/v1/creatives/${creative.id}`)
  await make.restored(`/api/v1/creatives/${creative.id}`)
  const comment = await make.comment(task.id)
  await service.patch(`/api/v1/comments/${comment.id}`, { text: 'x' })
  await make.deleted(`/api/v1/comments/${comment.id}`)
  await make.deleted(`/api/v1/tasks/${task.id}`)
  await make.restored(`/api/v1/tasks/${task.id}`)
  expect((await kinds(task)).toReversed()).toEqual([
    'task_created',
    'task_changed',
    'task_moved',
    'creative_created',
    'creative_changed',
    'creative_deleted',
    'creative_restored',
    'comment_added',
    'comment_changed',
    'comment_deleted',
    'task_deleted',
    'task_restored',
  ])
})

test('an entry names the comment or creative it is about, and nothing for the task itself', async () => {
  const task = await make.task()
  expect((await latest(task)).subject_id).toBeNull()
  const creative = await make.creative(task.id)
  expect(await latest(task)).toMatchObject({
    subject_id: creative.id,
    changes: { name: { from: null, to: creative.name } },
  })
  const comment = await make.comment(task.id)
  expect((await latest(task)).subject_id).toBe(comment.id)
  await make.deleted(`/api/v1/creatives/${creative.id}`)
  expect(await latest(task)).toMatchObject({
    subject_id: creative.id,
    changes: { name: { from: creative.name, to: null } },
  })
})

test('a change tells each member from what to what, and nothing that follows silently', async () => {
  const task = await make.task({ priority: 2, notes: 'a' })
  await make.patched(task.id, { priority: 1, notes: null, count: 2, subtopics: ['x'] })
  expect((await latest(task)).changes).toEqual({
    priority: { from: 2, to: 1 },
    notes: { from: 'a', to: null },
    count: { from: null, to: 2 },
    subtopics: { from: [], to: ['x'] },
  })
})

test('a move tells the statuses, with what else changed', async () => {
  const task = await make.task()
  const moved = await make.patched(task.id, { status: 'done', priority: 3 })
  const { kind, changes } = await latest(task)
  expect(kind).toBe('task_moved')
  expect(changes).toEqual({
    status: { from: 'backlog', to: 'done' },
    priority: { from: null, to: 3 },
    completed_at: { from: null, to: moved.completed_at },
  })
})

test('a change of a creative tells its members', async () => {
  const task = await make.task()
  const creative = await make.creative(task.id)
  await service.patch(`/api/v1/creatives/${creative.id}`, { completed: true, name: `Cut ${task.number}`, tags: ['a'] })
  expect((await latest(task)).changes).toEqual({
    completed: { from: false, to: true },
    name: { from: creative.name, to: `Cut ${task.number}` },
    tags: { from: null, to: ['a'] },
  })
})

test('a long text is shortened', async () => {
  const task = await make.task()
  await make.patched(task.id, { notes: '😀'.repeat(1000) })
  const { to } = (await latest(task)).changes.notes
  expect(to.length).toBeLessThan(250)
  expect(to).toMatch(/^(?:😀)+…$/u)
})

test('a change of one variant among many tells that variant alone', async () => {
  const variants = Array.from({ length: 10 }, (_, at) => ({
    ...{ key: `v${at + 1}`, variation_num: at + 1, notes: `note ${at}` },
  }))
  const task = await make.task({ variants })
  const changed = variants.map((variant) => (variant.key === 'v7' ? { ...variant, notes: 'changed!' } : variant))
  await make.patched(task.id, { variants: changed })
  expect((await latest(task)).changes).toEqual({
    variants: { from: [{ key: 'v7', notes: 'note 6' }], to: [{ key: 'v7', notes: 'changed!' }] },
  })
})

test('of the settings of a review, only those that changed are told, and a repeated change tells nothing', async () => {
  const [ada, bob] = [await service.person('writer'), await service.person('writer')]
  const task = await make.task()
  const set = (body: Body) => service.patch(`/api/v1/tasks/${task.id}/reviewers`, body)
  await set({ reviewers: [ada.id, bob.id] })
  expect((await latest(task)).changes).toEqual({ reviewers: { from: [], to: [ada.id, bob.id] } })
  await set({ moves_to: 'archived' })
  expect((await latest(task)).changes).toEqual({ moves_to: { from: null, to: 'archived' } })
  await set({ needs: 'all' })
  expect((await latest(task)).changes).toEqual({ needs: { from: 'one', to: 'all' } })
  await set({ needs: 'all', reviewers: [ada.id, bob.id] })
  expect(await kinds(task)).toEqual(['reviewers_changed', 'reviewers_changed', 'reviewers_changed', 'task_created'])
})

test('a person is told by id and name, an integration by its token', async () => {
  const writer = await service.person('writer')
  const integration = await service.integration(['tasks:write'])
  const task = await make.task({}, writer)
  expect((await latest(task)).by).toEqual({ user_id: writer.id, token_id: null, name: 'A writer' })
  await service.patch(`/api/v1/tasks/${task.id}`, { notes: 'x' }, integration)
  expect((await latest(task)).by).toEqual({ user_id: null, token_id: expect.any(String), name: 'Test' })
})

test('an entry is dated when it happened', async () => {
  const task = await make.task()
  const { at } = await latest(task)
  expect(at).toMatch(utc)
  expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(task.created_at))
})

test('what was refused, or changed nothing, leaves no entry', async () => {
  const task = await make.task({ priority: 1 })
  const creative = await make.creative(task.id)
  const before = await activity(task)
  await service.patch(`/api/v1/tasks/${task.id}`, { priority: 1 })
  await service.patch(`/api/v1/tasks/${task.id}`, { priority: 9 })
  await service.patch(`/api/v1/tasks/${task.id}`, { priority: 2 }, { headers: { 'if-match': '"9"' } })
  await service.patch(`/api/v1/creatives/${creative.id}`, { completed: false })
  await service.post(`/api/v1/tasks/${task.id}/restore`)
  expect(await activity(task)).toEqual(before)
})

test('activity is paged', async () => {
  const task = await make.task()
  for (const priority of [1, 2, 3, 4]) await make.patched(task.id, { priority })
  const all = (await activity(task)).items
  const first = await activity(task, '?limit=3')
  const second = await activity(task, `?limit=3&cursor=${first.meta.next_cursor}`)
  expect([...first.items, ...second.items]).toEqual(all)
  expect(second.meta.next_cursor).toBeNull()
})

test('a cursor of one task does not open the activity of another', async () => {
  const [task, other] = [await make.task(), await make.task()]
  await make.patched(task.id, { priority: 1 })
  const { meta } = await activity(task, '?limit=1')
  const refused = await service.get(`/api/v1/tasks/${other.id}/activity?limit=1&cursor=${meta.next_cursor}`)
  expect(refused.status).toBe(422)
})
