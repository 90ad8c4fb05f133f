// Facts about the identity provider's webhook: which messages are accepted, and that their order does not change the result.
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../support/harness.ts'
import {
  memberMessage as member,
  ourOrganization,
  webhookPath as path,
  peopleOf,
  type Sent,
  webhookSecret as secret,
  sendMessage,
  userMessage as user,
  userDeletedMessage as userDeleted,
} from '../support/provider.ts'

const older = `whsec_${Buffer.from('an older secret of thirty-two by').toString('base64')}`
let service: Service
let bare: Service

beforeAll(async () => {
  service = await startService({
    ATELIER_WEBHOOK_SECRETS: `${older},${secret}`,
    ATELIER_ORGANIZATION: ourOrganization,
  })
  bare = await startService()
})
afterAll(() => Promise.all([service.close(), bare.close()]))

const send = (body: unknown, sent?: Sent) => sendMessage(service, body, sent)
const people = (id: string) => peopleOf(service, id)

test('the published test vector is signed as published', () => {
  const signature = new Webhook(secret).sign(
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    new Date(1_614_265_330_000),
    '{"test": 2432232314}',
  )
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('a signed message is accepted without a body', async () => {
  const answer = await send(user('user_1', 1))
  expect(answer.status).toBe(204)
  expect(answer.text).toBe('')
  expect(await people('user_1')).toMatchObject([
    { name: 'Ada Lovelace', email: 'ada@example.com', role: 'reader', active: true },
  ])
})

test('either secret is good while one replaces the other', async () => {
  expect((await send(user('user_2', 1), { secret: older })).status).toBe(204)
})

test('the older names of the headers are understood', async () => {
  expect((await send(user('user_3', 1), { prefix: 'svix' })).status).toBe(204)
})

test('one good signature among others is enough', async () => {
  const at = new Date()
  const raw = JSON.stringify(user('user_4', 1))
  const good = new Webhook(secret).sign('msg_many', at, raw)
  const signature = `v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v2,${good.slice(3)} ${good}`
  const answer = await send(raw, { id: 'msg_many', at, headers: { 'webhook-signature': signature } })
  expect(answer.status).toBe(204)
})

const now = () => Math.floor(Date.now() / 1000)
test.each([
  ['no headers at all', { 'webhook-id': '', 'webhook-timestamp': '', 'webhook-signature': '' }],
  ['no id', { 'webhook-id': '' }],
  ['no signature', { 'webhook-signature': '' }],
  ['a timestamp that is no number', { 'webhook-timestamp': 'hello' }],
  ['a timestamp with something behind it', { 'webhook-timestamp': `${now()}abc` }],
  ['a signature of another version', { 'webhook-signature': 'v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' }],
  ['half a signature', { 'webhook-signature': 'v1,' }],
  ['another signature', { 'webhook-signature': 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=' }],
])('a message with %s is refused and changes nothing', async (_what, headers) => {
  const answer = await send(user('user_refused', 1), { headers })
  expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_signature' } })
  expect(await people('user_refused')).toEqual([])
})

test.each([-301, 301])('a message signed %d seconds from now is refused', async (seconds) => {
  const answer = await send(user('user_stale', 1), { at: new Date(Date.now() + seconds * 1000) })
  expect(answer.status).toBe(401)
})

test('a body changed after it was signed is refused', async () => {
  const at = new Date()
  const signature = new Webhook(secret).sign('msg_changed', at, JSON.stringify(user('user_5', 1)))
  const pretty = JSON.stringify(user('user_5', 1), null, 2)
  const answer = await send(pretty, { id: 'msg_changed', at, headers: { 'webhook-signature': signature } })
  expect(answer.status).toBe(401)
})

test('an unsigned body is not even read: 401 comes before 422', async () => {
  const answer = await service.ask('POST', path, { token: null, raw: '{"broken' })
  expect(answer.status).toBe(401)
})

const time = ['body', 'data', 'updated_at']
test.each([
  ['nothing', '', ['body']],
  ['null', 'null', ['body']],
  ['what is no JSON', '{"broken', ['body']],
  ['a message without a type', { data: {} }, ['body', 'type']],
  ['a user without an id', { type: 'user.updated', data: { updated_at: 1 } }, ['body', 'data', 'id']],
  ['a time that is no number', { ...user('user_6', 1), data: { id: 'user_6', updated_at: '1' } }, time],
  [
    'a time that would be rounded',
    '{"type":"user.updated","data":{"id":"user_6","updated_at":1234567890123456789}}',
    time,
  ],
])('%s, signed, is a 422 that points at it', async (_what, body, loc) => {
  const answer = await send(body)
  expect(answer.status).toBe(422)
  expect(answer.body.detail[0].loc.slice(0, loc.length)).toEqual(loc)
})

test('a number that no member reads may be of any size', async () => {
  await send(user('user_large', 1))
  await send(member('m_large', 'user_large', 'org:admin', 1))
  const left = JSON.stringify(member('m_large', 'user_large', 'org:admin', 2, { kind: 'deleted' }))
  const withMore = left.replace('"data":{', '"data":{"public_metadata":{"n":12345678901234567891},')
  expect((await send(withMore)).status).toBe(204)
  expect(await people('user_large')).toMatchObject([{ active: false }])
})

test.each([
  ['half a surrogate pair', String.raw`"x\ud83d"`],
  ['a NUL', String.raw`"x\u0000"`],
  ['a number that no double can be', '1e400'],
  ['a member called __proto__', '{"__proto__":{"user_id":"somebody"}}'],
  ['a member with a long name', `{"${'x'.repeat(2000)}":1}`],
  ['more levels than a body may have', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
])('a member that nobody reads may hold %s: who has left is out all the same', async (what, held) => {
  const id = `user ${what}`
  await send(user(id, 1))
  await send(member(`m ${what}`, id, 'org:admin', 1))
  expect(await people(id)).toMatchObject([{ role: 'admin', active: true }])
  const left = JSON.stringify(member(`m ${what}`, id, 'org:admin', 2, { kind: 'deleted' }))
  expect((await send(left.replace('"user_id":', `"first_name":${held},"user_id":`))).status).toBe(204)
  expect(await people(id)).toMatchObject([{ active: false }])
  expect((await send(`{"type":"session.created","data":{"held":${held}}}`)).status).toBe(204)
})

test('a text that is read is mended, so that it can be kept', async () => {
  for (const [sent, kept] of [
    [String.raw`Ada\ud83d`, 'Ada\ufffd Lovelace'],
    [String.raw`Ada\u0000`, 'Ada Lovelace'],
  ] as const) {
    const raw = JSON.stringify(user(`user_${sent}`, 1))
      .replace('"Ada"', `"${sent}"`)
      .replace(/"id":"user_[^"]*"/, `"id":"${kept}"`)
    expect((await send(raw)).status).toBe(204)
    expect(await people(kept)).toMatchObject([{ name: kept }])
  }
})

test('a longer address of a picture is kept whole', async () => {
  const image_url = 'https://example.com/'.padEnd(2048, 'a')
  const message = user('user_picture', 1)
  await send({ ...message, data: { ...message.data, image_url } })
  const kept = await service.rows('select image_url from directory_users where provider_id = $1', ['user_picture'])
  expect(kept).toEqual([{ image_url }])
})

test.each(['x'.repeat(1000), 'session.created', 'toString', 'valueOf', 'hasOwnProperty', 'constructor', '__proto__'])(
  'a message of the kind %s, of which we keep nothing, is accepted',
  async (type) => {
    expect((await send(`{"type":${JSON.stringify(type)},"data":{"id":"user_6"}}`)).status).toBe(204)
  },
)

test('a deletion of a user without an id is accepted, and nobody is deleted', async () => {
  const before = await service.rows('select * from directory_users order by provider_id')
  expect((await send({ type: 'user.deleted', data: { object: 'user', deleted: true } })).status).toBe(204)
  expect(await service.rows('select * from directory_users order by provider_id')).toEqual(before)
})

test('an empty message is told that its body is missing', async () => {
  const { status, body } = await send('')
  expect([status, body]).toEqual([
    422,
    { detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }] },
  ])
})

test('the same message fifty times at once has its effect once', async () => {
  const before = await service.rows('select count(*)::integer as n from users')
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(user('user_7', 1), { id: 'msg_fifty' })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  const after = await service.rows('select count(*)::integer as n from users')
  expect(after[0].n - before[0].n).toBe(1)
})

/** All permutations of a list. */
const orders = <T>(list: T[]): T[][] =>
  list.length < 2 ? [list] : list.flatMap((it, at) => orders(list.toSpliced(at, 1)).map((rest) => [it, ...rest]))

test('created, updated and deleted end alike in every order', async () => {
  const messages = (id: string) => [user(id, 10, 'Ada', 'created'), user(id, 20, 'Augusta'), userDeleted(id)]
  for (const [at, order] of orders([0, 1, 2]).entries()) {
    const id = `user_order_${at}`
    for (const which of order) await send(messages(id)[which])
    expect(await people(id)).toMatchObject([
      { name: 'Augusta Lovelace', email: 'ada@example.com', role: 'reader', active: false },
    ])
  }
})

test('memberships give the role, the one changed last, and end alike in every order', async () => {
  const messages = (id: string) => [
    user(id, 10),
    member(`${id}_a`, id, 'org:admin', 10),
    member(`${id}_b`, id, 'org:member', 20),
    member(`${id}_a`, id, 'org:admin', 30, { kind: 'deleted' }),
  ]
  for (const [at, order] of orders([0, 1, 2, 3]).entries()) {
    const id = `user_member_${at}`
    for (const which of order) await send(messages(id)[which])
    expect(await people(id)).toMatchObject([{ role: 'writer', active: true }])
  }
})

test('without a membership left a person is out, and back with the next', async () => {
  await send(user('user_8', 1))
  await send(member('m8', 'user_8', 'org:member', 1))
  await send(member('m8', 'user_8', 'org:member', 2, { kind: 'deleted' }))
  expect(await people('user_8')).toMatchObject([{ active: false }])
  await send(member('m9', 'user_8', 'org:admin', 3))
  expect(await people('user_8')).toMatchObject([{ active: true, role: 'admin' }])
})

test('a role chosen by an admin outlives what the provider says', async () => {
  await send(user('user_9', 1))
  const [{ user_id }] = await service.rows(`select user_id from directory_users where provider_id = 'user_9'`)
  expect((await service.patch(`/api/v1/users/${user_id}`, { role: 'admin' })).status).toBe(200)
  await send(member('m10', 'user_9', 'org:guest', 5))
  expect(await people('user_9')).toMatchObject([{ role: 'admin' }])
})

describe('a name and an address that an admin has set', () => {
  const withoutMail = (id: string, updated_at: number) => {
    const message = user(id, updated_at)
    return { ...message, data: { ...message.data, email_addresses: [], primary_email_address_id: null } }
  }
  const byHand = { name: 'Ada of Sales', email: 'sales@example.com' }
  const setByHand = async (id: string): Promise<void> => {
    const [person] = await people(id)
    expect((await service.patch(`/api/v1/users/${person.id}`, byHand)).status).toBe(200)
  }

  test('stay when the provider says again what it has said, also as a later change', async () => {
    await send(withoutMail('user_again', 10))
    await setByHand('user_again')
    await send(withoutMail('user_again', 10))
    expect(await people('user_again')).toMatchObject([byHand])
    await send(withoutMail('user_again', 20))
    expect(await people('user_again')).toMatchObject([byHand])
  })

  test('give way to what the provider has anew; what it has no more takes only its own value along', async () => {
    await send(withoutMail('user_anew', 10))
    await setByHand('user_anew')
    await send(user('user_anew', 20))
    expect(await people('user_anew')).toMatchObject([{ name: byHand.name, email: 'ada@example.com' }])
    await send(withoutMail('user_anew', 30))
    expect(await people('user_anew')).toMatchObject([{ name: byHand.name, email: null }])
    await send(user('user_anew', 40, 'Augusta'))
    await setByHand('user_anew')
    await send(withoutMail('user_anew', 50))
    expect(await people('user_anew')).toMatchObject([{ name: 'Ada Lovelace', email: byHand.email }])
  })
})

test('an address that the provider has no more is gone, in every order of its messages', async () => {
  const withMail = (id: string) => user(id, 10)
  const without = (id: string) => ({ ...user(id, 20), data: { ...user(id, 20).data, email_addresses: [] } })
  for (const [at, order] of orders([withMail, without, withMail]).entries()) {
    for (const message of order) await send(message(`user_no_mail_${at}`))
    expect(await people(`user_no_mail_${at}`)).toMatchObject([{ name: 'Ada Lovelace', email: null }])
  }
})

test('without a secret no message is taken', async () => {
  const answer = await bare.ask('POST', path, { token: null, raw: '{}' })
  expect(answer).toMatchObject({ status: 503, body: { code: 'webhook_not_configured' } })
})
