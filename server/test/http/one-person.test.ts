// Facts about OAuth subjects: a subject is one person, whether an access token or a provider's message came first; and which
// subjects are invalid.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Service } from '../support/harness.ts'
import { startWithBothDoors } from '../support/identity.ts'
import type { Issuer } from '../support/issuer.ts'
import { memberMessage, sendMessage, userDeletedMessage, userMessage } from '../support/provider.ts'

let issuer: Issuer
let service: Service
let close: () => Promise<void>
beforeAll(async () => {
  ;({ issuer, service, close } = await startWithBothDoors())
})
afterAll(() => close())

const me = (token: string) => service.get('/api/v1/users/me', { token })
const tell = async (...messages: unknown[]) => {
  for (const message of messages) expect((await sendMessage(service, message)).status).toBe(204)
}
/** The number of people, active or not. */
const headcount = async () => (await service.rows('select count(*)::integer as n from users'))[0].n
const activeCount = async () => (await service.rows('select count(*)::integer as n from users where active'))[0].n

test('whom a token brought first the provider’s messages speak of: role, name and deletion arrive', async () => {
  const token = await issuer.forge({ sub: 'prov_1', scope: 'read tasks:write' })
  const { data } = await me(token)
  expect(data.user.role).toBe('reader')
  const before = await headcount()
  await tell(userMessage('prov_1', 1), memberMessage('m_1', 'prov_1', 'org:member', 1))
  expect(await headcount()).toBe(before)
  expect((await me(token)).data).toMatchObject({
    user: { id: data.user.id, role: 'writer', name: 'Ada Lovelace' },
    scopes: ['read', 'tasks:write'],
  })
  await tell(userDeletedMessage('prov_1'))
  expect(await me(token)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
})

test('whom a message brought first the token speaks for', async () => {
  await tell(memberMessage('m_2', 'prov_2', 'org:admin', 1), userMessage('prov_2', 1))
  const before = await headcount()
  const { data } = await me(await issuer.forge({ sub: 'prov_2' }))
  expect(data.user).toMatchObject({ role: 'admin', name: 'Ada Lovelace' })
  expect(await headcount()).toBe(before)
})

test('first tokens and first messages at once make one person', async () => {
  const before = await headcount()
  const token = await issuer.forge({ sub: 'prov_3' })
  await Promise.all([
    ...Array.from({ length: 10 }, () => me(token)),
    ...Array.from({ length: 5 }, () => tell(userMessage('prov_3', 1))),
    ...Array.from({ length: 5 }, (_, at) => tell(memberMessage('m_3', 'prov_3', 'org:member', at + 1))),
  ])
  expect(await headcount()).toBe(before + 1)
  expect((await me(token)).data.user.role).toBe('writer')
})

test('whom the provider deleted before the first token is not let in by it, nor by those that follow', async () => {
  await tell(userDeletedMessage('prov_4'))
  const before = await activeCount()
  const token = await issuer.forge({ sub: 'prov_4' })
  for (const attempt of [token, token, await issuer.forge({ sub: 'prov_4', jti: 'two' })]) {
    expect(await me(attempt)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
  }
  await tell(userMessage('prov_4', 1), memberMessage('m_4', 'prov_4', 'org:admin', 1))
  expect((await me(token)).status).toBe(401)
  expect(await activeCount()).toBe(before)
})

test('subjects of an issuer that is not ours are nobody to the provider’s messages', async () => {
  await me(await issuer.forge({ sub: 'prov_5' }))
  await service.rows(`update identities set issuer = 'https://former.example' where subject = 'prov_5'`)
  const before = await headcount()
  await tell(userMessage('prov_5', 1))
  expect(await headcount()).toBe(before + 1)
})

describe('an access token is refused whose subject is', () => {
  test.each([
    ['a text with NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800b'],
    ['empty', ''],
    ['longer than 255 characters', 'x'.repeat(256)],
    [
      'longer than an index takes',
      Array.from({ length: 6000 }, (_, at) => String.fromCharCode(97 + ((at * 7919) % 26))).join(''),
    ],
    ['a number', 7],
    ['an object', { id: 'prov_2' }],
    ['a list', ['prov_2']],
    ['true', true],
    ['null', null],
  ])('%s', async (_what, sub) => {
    const before = await headcount()
    // The type of the claim is text, but an issuer may send any JSON value.
    const claims: Record<string, unknown> = { sub }
    expect(await me(await issuer.forge(claims))).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    expect(await headcount()).toBe(before)
  })

  test.each(['7', '[object Object]', 'ä'.repeat(255), "'; drop table users --", '__proto__'])(
    'but not %j, which is a text like any other',
    async (sub) => {
      expect((await me(await issuer.forge({ sub }))).status).toBe(200)
    },
  )
})
