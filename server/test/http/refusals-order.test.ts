// Facts about the order of refusals: 401 · 403 scope · 413, 415, 422 · 404 · 403 ownership · 412 · 409.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, nobody } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
let reader: { token: string }
let writer: { token: string }
/** A deleted task with a comment by the owner and a creative whose name another creative has taken. */
let deleted: { task: Body; creative: Body; comment: Body }
beforeAll(async () => {
  service = await startService({ ATELIER_BODY_LIMIT: '2000' })
  make = makers(service)
  reader = await service.person('reader')
  writer = await service.person('writer')
  const { task, creatives } = await make.taskWith(['Lost'])
  const comment = await make.comment(task.id)
  await make.deleted(`/api/v1/tasks/${task.id}`)
  await make.taskWith(['Lost'])
  deleted = { task, creative: creatives[0], comment }
})
afterAll(() => service.close())

const status = async (method: string, path: string, options: Ask): Promise<number> =>
  (await service.ask(method, `/api/v1${path}`, options)).status

const stale = { 'if-match': '"99"' }
const noType = { 'content-type': 'text/plain' }
/** What `curl -d ''` sends with an empty body. */
const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
const tooLarge = JSON.stringify({ notes: 'x'.repeat(3000) })

test('a caller without a token is told so, whatever else is wrong', async () => {
  const nothingRight = { token: null, raw: '{', headers: { ...stale, ...noType } }
  for (const token of [null, 'atl_unknown']) {
    expect(await status('PATCH', '/tasks/x', { ...nothingRight, token })).toBe(401)
    expect(await status('PATCH', '/tasks/x', { token, raw: tooLarge })).toBe(401)
    expect(await status('GET', '/tasks/deleted?limit=0', { token })).toBe(401)
    expect(await status('POST', `/tasks/${deleted.task.id}/restore`, { token })).toBe(401)
  }
})

test('a caller without the scope is told so before anything about the request', async () => {
  expect(await status('PATCH', '/tasks/x', { ...reader, raw: '{', headers: stale })).toBe(403)
  expect(await status('PATCH', '/tasks/x', { ...reader, raw: tooLarge })).toBe(403)
  expect(await status('PATCH', '/tasks/x', { ...reader, raw: '{}', headers: noType })).toBe(403)
  expect(await status('POST', `/tasks/${nobody}/restore`, reader)).toBe(403)
  expect(await status('POST', `/tasks/${deleted.task.id}/restore`, reader)).toBe(403)
})

test('size, type and shape come before whether the record is there', async () => {
  for (const id of ['x', nobody]) {
    expect(await status('PATCH', `/tasks/${id}`, { raw: tooLarge })).toBe(413)
    expect(await status('PATCH', `/tasks/${id}`, { raw: '{}', headers: noType })).toBe(415)
    expect(await status('PATCH', `/tasks/${id}`, { raw: '{' })).toBe(422)
    expect(await status('PATCH', `/tasks/${id}`, { body: { priority: 9 } })).toBe(422)
    expect(await status('GET', `/tasks/${id}/comments?limit=0`, {})).toBe(422)
    expect(await status('POST', `/tasks/${id}/restore`, { body: { x: 1 } })).toBe(422)
  }
})

test('so do references to what is not there', async () => {
  const body = { assignee_id: nobody }
  expect(await status('PATCH', `/tasks/${nobody}`, { body })).toBe(422)
  expect(await status('PATCH', `/creatives/${nobody}`, { body })).toBe(422)
  expect(await status('POST', `/tasks/${nobody}/creatives`, { body })).toBe(422)
})

test('a body of another type is a 415 even where its JSON is broken or too much', async () => {
  expect(await status('POST', '/tasks', { raw: '{', headers: noType })).toBe(415)
  expect(await status('POST', '/tasks', { raw: '{', headers: { 'content-type': '' } })).toBe(415)
  expect(await status('POST', '/tasks', { raw: tooLarge, headers: noType })).toBe(415)
  expect(await status('POST', `/tasks/${deleted.task.id}/restore`, { raw: 'x=1', headers: asForm })).toBe(415)
})

test('JSON in another charset than UTF-8 is a 415, and UTF-8 may be declared in any spelling', async () => {
  const create = (type: string, raw = '{"name":"Glow"}') =>
    service.ask('POST', '/api/v1/tasks', { raw, headers: { 'content-type': type } })
  for (const charset of ['latin1', 'ISO-8859-1', '"utf-16"', 'utf-8859', '']) {
    const refused = await create(`application/json; charset=${charset}`)
    expect([charset, refused.status, refused.body.detail]).toEqual([
      ...[charset, 415, 'Send the JSON in UTF-8, and declare no other charset.'],
    ])
  }
  for (const parameters of [
    'charset=UTF-8',
    'charset="utf-8"',
    ' Charset=utf8',
    'charset=us-ascii',
    'v=1',
    'v=1;charset=utf-8',
  ])
    expect([parameters, (await create(`application/json;${parameters}`)).status]).toEqual([parameters, 200])
  expect((await create('application/merge-patch+json;charset=utf-8')).status).toBe(200)
  expect((await create('application/merge-patch+json;charset=latin1')).status).toBe(415)
  expect(faults(await create('application/json;charset=latin1', ''))).toEqual(['missing body'])
})

test('an empty body of any type is no body', async () => {
  const { id } = await make.task()
  const path = `/tasks/${id}`
  expect(await status('DELETE', path, { raw: '', headers: noType })).toBe(200)
  expect(await status('POST', `${path}/restore`, { raw: '', headers: asForm })).toBe(200)
  expect(await status('POST', `${path}/creatives`, { raw: '', headers: asForm })).toBe(200)
  const refused = await service.ask('POST', '/api/v1/tasks', { raw: '', headers: noType })
  expect(faults(refused)).toEqual(['missing body'])
  expect(await status('POST', '/no/such/path', { raw: '', headers: noType })).toBe(404)
  expect(await status('POST', '/no/such/path', { raw: 'x', headers: noType })).toBe(404)
})

test('shape comes before the state of the record', async () => {
  const path = `/tasks/${deleted.task.id}`
  expect(await status('PATCH', path, { body: { priority: 9 }, headers: stale })).toBe(422)
  expect(await status('PATCH', path, { body: { assignee_id: nobody }, headers: stale })).toBe(422)
  expect(await status('PATCH', path, { body: { launched_at: null }, headers: stale })).toBe(422)
  expect(await status('POST', `${path}/comments`, { body: { text: '' } })).toBe(422)
})

test('whether it is there comes before whose it is and which revision is meant', async () => {
  expect(await status('PATCH', `/tasks/${nobody}`, { body: {}, headers: stale })).toBe(404)
  expect(await status('DELETE', `/tasks/${nobody}`, { headers: stale })).toBe(404)
  expect(await status('POST', `/tasks/${nobody}/restore`, { headers: stale })).toBe(404)
  expect(await status('PATCH', `/comments/${nobody}`, { ...writer, body: { text: 'x' } })).toBe(404)
})

test('whose it is comes before the state', async () => {
  const path = `/comments/${deleted.comment.id}`
  expect(await status('PATCH', path, { ...writer, body: { text: 'x' } })).toBe(403)
  expect(await status('DELETE', path, writer)).toBe(403)
  expect(await status('PATCH', path, { body: { text: 'x' } })).toBe(409)
})

test('the revision comes before the state', async () => {
  const task = `/tasks/${deleted.task.id}`
  const creative = `/creatives/${deleted.creative.id}`
  for (const [method, path, body] of [
    ['PATCH', task, { notes: 'x' }],
    ['POST', `${task}/restore`, undefined],
    ['PATCH', creative, { completed: true }],
    ['DELETE', creative, undefined],
    ['POST', `${creative}/restore`, undefined],
  ] as const) {
    const options = body === undefined ? {} : { body }
    expect(await status(method, path, { ...options, headers: stale }), `${method} ${path}`).toBe(412)
    expect(await status(method, path, options), `${method} ${path}`).toBe(409)
  }
})

test('past the window a restore is told so before its revision is looked at', async () => {
  const task = await make.task()
  await make.deleted(`/api/v1/tasks/${task.id}`)
  await service.rows(`update tasks set deleted_at = deleted_at - interval '31 days' where id = $1`, [task.id])
  expect(await status('POST', `/tasks/${task.id}/restore`, { headers: stale })).toBe(404)
})
