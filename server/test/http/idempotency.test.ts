// Facts about Idempotency-Key: a repeated request returns the stored first response and has no second effect.
import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetOldKeys } from '../../src/platform/http/idempotency.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, refusal } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
let task: Body
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  task = await make.task()
})
afterAll(() => service.close())

let serial = 0
const fresh = () => `key-${++serial}`
const post = (path: string, body: unknown, key: string, token?: string) =>
  service.post(`/api/v1${path}`, body, { headers: { 'idempotency-key': key }, ...(token ? { token } : {}) })
const count = async (table: string): Promise<number> =>
  (await service.rows(`select count(*)::int as n from ${table}`))[0].n

/** POST requests of five routes, each with two different bodies and the table in which the effect of the request is counted. */
const writes = () => [
  { path: '/tasks', body: { name: 'Once' }, other: { name: 'Other' }, table: 'tasks' },
  { path: `/tasks/${task.id}/creatives`, body: { tags: ['a'] }, other: { tags: ['b'] }, table: 'creatives' },
  { path: `/tasks/${task.id}/comments`, body: { text: 'Once' }, other: { text: 'Other' }, table: 'comments' },
  { path: '/products', body: { name: fresh() }, other: { name: fresh() }, table: 'products' },
  {
    path: '/tasks/bulk',
    body: { ids: [task.id], patch: { notes: fresh() } },
    other: { ids: [task.id], patch: { notes: fresh() } },
    table: `activity where kind = 'task_changed'`,
  },
]

test('a repeated write is answered with the first answer, and done once', async () => {
  for (const { path, body, table } of writes()) {
    const key = fresh()
    const before = await count(table)
    const first = await post(path, body, key)
    const again = await post(path, body, key)
    expect([first.status, again.status], path).toEqual([200, 200])
    expect(again.text).toBe(first.text)
    expect(again.headers.etag).toBe(first.headers.etag)
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true'])
    expect(await count(table), path).toBe(before + 1)
  }
})

test('the first answer is repeated even after the record has changed', async () => {
  const key = fresh()
  const first = await post('/tasks', { name: 'Then' }, key)
  await make.patched(first.data.id, { name: 'Now' })
  expect((await post('/tasks', { name: 'Then' }, key)).text).toBe(first.text)
})

test('other parameters under the same key are refused', async () => {
  for (const { path, body, other, table } of writes()) {
    const key = fresh()
    await post(path, body, key)
    const before = await count(table)
    const refused = await post(path, other, key)
    expect(refused.status, path).toBe(422)
    expect(faults(refused)).toEqual(['value_error header.idempotency-key'])
    expect(await count(table)).toBe(before)
  }
})

test('the same body on another route is another request', async () => {
  const other = await make.task()
  const key = fresh()
  await post(`/tasks/${task.id}/comments`, { text: 'x' }, key)
  expect((await post(`/tasks/${other.id}/comments`, { text: 'x' }, key)).status).toBe(422)
})

test('members in another order are the same request', async () => {
  const key = fresh()
  const first = await post('/tasks', { name: 'Order', priority: 1, landing: { a: 1, b: 2 } }, key)
  const again = await post('/tasks', { landing: { b: 2, a: 1 }, priority: 1, name: 'Order' }, key)
  expect([again.status, again.text]).toEqual([200, first.text])
})

test('where a body is optional, none, null and one without members are the same request', async () => {
  const key = fresh()
  const first = await post(`/tasks/${task.id}/creatives`, undefined, key)
  for (const body of [{}, null]) {
    const again = await post(`/tasks/${task.id}/creatives`, body, key)
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true'])
  }
  expect(faults(await post(`/tasks/${task.id}/creatives`, { tags: [] }, key))).toEqual([
    'value_error header.idempotency-key',
  ])
})

test('during an update from 0.3.0, a key of a left-out body is known to processes of both versions', async () => {
  const path = `/tasks/${task.id}/creatives`
  /** The hash that 0.3.0 stores and compares: that of the body as it was sent, with null for none. */
  const before = (body: unknown) => hash('sha256', JSON.stringify(['POST', `/api/v1${path}`, body]), 'hex')
  const stored = async (key: string): Promise<string> =>
    (await service.rows(`select encode(request_hash, 'hex') as hash from idempotency_keys where key = $1`, [key]))[0]
      .hash
  for (const sent of [null, {}]) {
    const key = fresh()
    const first = await post(path, sent, key)
    expect(await stored(key)).toBe(before(sent))
    for (const old of [null, {}]) {
      await service.rows(`update idempotency_keys set request_hash = decode($2, 'hex') where key = $1`, [
        key,
        before(old),
      ])
      const again = await post(path, sent, key)
      expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true'])
    }
    await service.rows(`update idempotency_keys set request_hash = decode($2, 'hex') where key = $1`, [
      key,
      before({ tags: [] }),
    ])
    expect(faults(await post(path, sent, key))).toEqual(['value_error header.idempotency-key'])
  }
})

test('concurrent duplicates have one effect and one answer', async () => {
  for (const { path, body, table } of writes()) {
    const key = fresh()
    const before = await count(table)
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(path, body, key)))
    expect(new Set(answers.map(({ text }) => text)).size, path).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(await count(table), path).toBe(before + 1)
  }
})

test('a refused write keeps nothing: the key is free for the next try', async () => {
  const key = fresh()
  const name = fresh()
  const taken = await make.creative(task.id, { name })
  const refused = await post(`/tasks/${task.id}/creatives`, { name }, key)
  expect(refusal(refused)).toEqual([409, 'creative_name_taken'])
  await make.deleted(`/api/v1/creatives/${taken.id}`)
  expect((await post(`/tasks/${task.id}/creatives`, { name }, key)).status).toBe(200)
})

test('keys are each caller’s own', async () => {
  const writer = await service.person('writer')
  const key = fresh()
  const mine = await post('/tasks', { name: 'Same key' }, key)
  const theirs = await post('/tasks', { name: 'Same key' }, key, writer.token)
  expect(theirs.data.id).not.toBe(mine.data.id)
})

test('an answer is kept for a day', async () => {
  const key = fresh()
  const age = (interval: string) =>
    service.rows(`update idempotency_keys set created_at = created_at - interval '${interval}' where key = $1`, [key])
  const first = await post('/tasks', { name: 'Daily' }, key)
  await age('23 hours')
  await forgetOldKeys(service.database.main)
  expect((await post('/tasks', { name: 'Daily' }, key)).text).toBe(first.text)
  await age('1 hour')
  expect((await post('/tasks', { name: 'Daily' }, key)).data.id).not.toBe(first.data.id)
  await age('25 hours')
  await forgetOldKeys(service.database.main)
  expect(await service.rows('select key from idempotency_keys where key = $1', [key])).toEqual([])
})

test('a key is 1 to 255 visible ASCII characters', async () => {
  for (const key of ['', ' ', 'a b', 'ä', 'x'.repeat(256)]) {
    const refused = await post('/tasks', { name: 'x' }, key)
    expect(refused.status, JSON.stringify(key)).toBe(422)
    expect(faults(refused)).toEqual(['value_error header.idempotency-key'])
  }
  expect((await post('/tasks', { name: 'x' }, 'x'.repeat(255))).status).toBe(200)
})

test('a key that is none is told with all other errors of the request, and before a 404 for an id that is none', async () => {
  const both = await post('/tasks', { name: 'x', priority: 9 }, 'a b')
  expect(faults(both)).toEqual([expect.stringContaining('body.priority'), 'value_error header.idempotency-key'])
  expect(faults(await post('/tasks/x/comments', { text: 'x' }, 'a b'))).toEqual(['value_error header.idempotency-key'])
})

test('without a key every request is its own', async () => {
  const before = await count('tasks')
  await make.task()
  await make.task()
  expect(await count('tasks')).toBe(before + 2)
})
