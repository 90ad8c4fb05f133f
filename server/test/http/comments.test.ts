// Facts about comments: who may write, change and delete them, and how they are listed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, nobody, refusal, utc } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
let task: Body
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  task = await make.task()
})
afterAll(() => service.close())

const path = ({ id }: Body) => `/api/v1/comments/${id}`
const list = async (taskId: string, query = ''): Promise<Body> => make.read(`/api/v1/tasks/${taskId}/comments${query}`)

test('a comment says who wrote what, and when', async () => {
  const comment = await make.comment(task.id, 'Zwei Zeilen,\nund ein "Zitat".')
  expect(comment).toEqual({
    id: expect.any(String),
    task_id: task.id,
    by: { user_id: service.owner.id, token_id: null, name: 'Owner' },
    text: 'Zwei Zeilen,\nund ein "Zitat".',
    created_at: expect.stringMatching(utc),
    updated_at: comment.created_at,
  })
})

test('an integration comments under the name of its token', async () => {
  const { token } = await service.integration(['tasks:write'])
  const { by } = await make.comment(task.id, 'Launched.', { token })
  expect(by).toEqual({ user_id: null, token_id: expect.any(String), name: 'Test' })
})

test('a text has 1 to 20,000 characters', async () => {
  const say = (text: unknown) => service.post(`/api/v1/tasks/${task.id}/comments`, { text })
  expect(faults(await say(''))).toEqual(['string_too_short body.text'])
  expect(faults(await say('x'.repeat(20_001)))).toEqual(['string_too_long body.text'])
  expect(faults(await say(null))).toEqual(['string_type body.text'])
  expect((await say('x'.repeat(20_000))).status).toBe(200)
})

test('comments are listed oldest first, page by page', async () => {
  const owner = await make.task()
  const texts = ['one', 'two', 'three', 'four', 'five']
  for (const text of texts) await make.comment(owner.id, text)
  const first = await list(owner.id, '?limit=2')
  const second = await list(owner.id, `?limit=2&cursor=${first.meta.next_cursor}`)
  const third = await list(owner.id, `?limit=2&cursor=${second.meta.next_cursor}`)
  const seen = [first, second, third].flatMap(({ items }) => items.map(({ text }: Body) => text))
  expect(seen).toEqual(texts)
  expect(third.meta.next_cursor).toBeNull()
})

test('a task without comments has an empty list', async () => {
  expect(await list((await make.task()).id)).toEqual({ items: [], meta: { next_cursor: null } })
})

test('its author changes a comment', async () => {
  const comment = await make.comment(task.id, 'befor')
  await service.rows(`update comments set updated_at = updated_at - interval '1 hour' where id = $1`, [comment.id])
  const { data } = await service.patch(path(comment), { text: 'before' })
  expect(data).toMatchObject({ text: 'before', created_at: comment.created_at })
  expect(Date.parse(data.updated_at)).toBeGreaterThan(Date.parse(data.created_at) - 1)
  expect((await service.patch(path(comment), { text: 'before' })).data).toEqual(data)
})

test('nobody else changes it, not even an admin', async () => {
  const writer = await service.person('writer')
  const comment = await make.comment(task.id, 'mine', { token: writer.token })
  const others = [service.owner, await service.person('writer'), await service.integration(['tasks:write'])]
  for (const { token } of others) {
    expect(refusal(await service.patch(path(comment), { text: 'x' }, { token }))).toEqual([403, 'not_owner'])
  }
  expect((await service.patch(path(comment), { text: 'still mine' }, writer)).status).toBe(200)
})

test('a person is the same person under another token', async () => {
  const writer = await service.person('writer')
  const comment = await make.comment(task.id, 'mine', { token: writer.token })
  const { data } = await service.post('/api/v1/tokens', { name: 'New', scopes: ['tasks:write'], user_id: writer.id })
  expect((await service.patch(path(comment), { text: 'mine too' }, { token: data.token })).status).toBe(200)
})

test('its author or an admin deletes a comment', async () => {
  const writer = await service.person('writer')
  const other = await service.person('writer')
  const [mine, theirs] = [await make.comment(task.id, 'a', writer), await make.comment(task.id, 'b', writer)]
  expect(refusal(await service.del(path(mine), other))).toEqual([403, 'not_owner'])
  const { status, body } = await service.del(path(mine), writer)
  expect([status, body]).toEqual([200, { success: true, data: null, message: null, errors: null }])
  expect((await service.del(path(theirs))).status).toBe(200)
  const ids = (await list(task.id, '?limit=100')).items.map(({ id }: Body) => id)
  expect(ids).not.toContain(mine.id)
  expect(ids).not.toContain(theirs.id)
  expect(refusal(await service.del(path(mine), writer))).toEqual([404, 'not_found'])
})

test('a comment that is not there, or whose task is not, is not found', async () => {
  for (const id of [nobody, 'x']) {
    expect(refusal(await service.patch(`/api/v1/comments/${id}`, { text: 'x' }))).toEqual([404, 'not_found'])
    expect(refusal(await service.del(`/api/v1/comments/${id}`))).toEqual([404, 'not_found'])
    expect(refusal(await service.post(`/api/v1/tasks/${id}/comments`, { text: 'x' }))).toEqual([404, 'not_found'])
    expect(refusal(await service.get(`/api/v1/tasks/${id}/comments`))).toEqual([404, 'not_found'])
  }
})

test('a comment changes neither ETag nor updated_at of its task', async () => {
  const owner = await make.task()
  await make.comment(owner.id)
  const { data, headers } = await service.get(`/api/v1/tasks/${owner.id}`)
  expect(data).toEqual({ ...owner, comment_count: 1 })
  expect(headers.etag).toBe('"1"')
})

test('a reader reads comments and writes none', async () => {
  const { token } = await service.person('reader')
  expect((await service.get(`/api/v1/tasks/${task.id}/comments`, { token })).status).toBe(200)
  const refused = await service.post(`/api/v1/tasks/${task.id}/comments`, { text: 'x' }, { token })
  expect(refusal(refused)).toEqual([403, 'insufficient_scope'])
})
