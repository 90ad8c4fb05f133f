// Facts about ended access: credentials made before the end stay invalid, and a person who gets access again must sign in anew.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
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

const tell = async (...messages: unknown[]) => {
  for (const message of messages) expect((await sendMessage(service, message)).status).toBe(204)
}
const activate = async (id: string, active: boolean) =>
  expect((await service.patch(`/api/v1/users/${id}`, { active })).status).toBe(200)

type Someone = { id: string; sub: string }
const endings: Record<string, { end(who: Someone): Promise<void>; back(who: Someone): Promise<void> }> = {
  'an admin deactivated': { end: ({ id }) => activate(id, false), back: ({ id }) => activate(id, true) },
  'the provider deleted': { end: ({ sub }) => tell(userDeletedMessage(sub)), back: ({ id }) => activate(id, true) },
  'left the organization': {
    end: ({ sub }) => tell(memberMessage(`m_${sub}`, sub, 'org:member', 2, { kind: 'deleted' })),
    back: ({ sub }) => tell(memberMessage(`n_${sub}`, sub, 'org:member', 3)),
  },
}

/** Every kind of credential that a person can have; each function returns whether the credential is accepted. */
async function credentialsOf({ id, sub }: Someone, iat: number) {
  const link = async () => {
    const { data } = await service.post('/api/v1/sign-in-links', { user_id: id })
    return data.url.replace(/^https?:\/\/[^/]+/, '')
  }
  const browser = openBrowser(service.app.server)
  await browser.follow(await link())
  const bearer = await browser.token()
  const unopened = await link()
  const issued = await service.post('/api/v1/tokens', { name: 'Laptop', scopes: ['read'], user_id: id })
  const access = await issuer.forge({ sub, iat })
  const { data: file } = await service.post(
    '/api/v1/files/links',
    { digests: ['0'.repeat(64)] },
    { token: issued.data.token },
  )
  const asBearer = (token: string) => async () => (await service.get('/api/v1/users/me', { token })).status === 200
  return {
    'a session': async () => (await browser.send('POST', '/session/token')).status === 200,
    'a token of its page': asBearer(bearer),
    'a static token': asBearer(issued.data.token),
    'an access token': asBearer(access),
    // A link that is accepted returns 404, because the file does not exist.
    'a file link': async () => (await service.ask('GET', file[0].url, { token: null })).status === 404,
    // This check uses up the link, since a sign-in link works only once; `allButLinks` leaves it out of earlier checks.
    'a sign-in link': async () => (await openBrowser(service.app.server).follow(unopened)).status === 302,
  }
}

const letIn = async (credentials: Record<string, () => Promise<boolean>>): Promise<string[]> => {
  const names: string[] = []
  for (const [name, holds] of Object.entries(credentials)) if (await holds()) names.push(name)
  return names
}
const allButLinks = (credentials: Record<string, () => Promise<boolean>>) =>
  Object.fromEntries(Object.entries(credentials).filter(([name]) => name !== 'a sign-in link'))

describe.each(Object.entries(endings))('of somebody whom %s', (how, { end, back }) => {
  test('nothing made before lets in again, and everything made since does', async () => {
    const sub = `ended_${how.replaceAll(' ', '_')}`
    await tell(userMessage(sub, 1), memberMessage(`m_${sub}`, sub, 'org:member', 1))
    const [{ id }] = await service.rows('select user_id as id from directory_users where provider_id = $1', [sub])
    const who = { id, sub }
    const seconds = Math.floor(Date.now() / 1000)
    const before = await credentialsOf(who, seconds - 60)
    expect(await letIn(allButLinks(before))).toEqual(Object.keys(allButLinks(before)))

    await end(who)
    expect(await letIn(allButLinks(before))).toEqual([])
    await back(who)
    expect(await letIn(before)).toEqual([])
    const { data } = await service.get('/api/v1/tokens?limit=100')
    const own = data.items.filter(({ user_id }: { user_id: string }) => user_id === id)
    expect(own).toMatchObject([{ revoked_at: expect.stringMatching(/Z$/) }])

    const since = await credentialsOf(who, Math.floor(Date.now() / 1000) + 1)
    expect(await letIn(since)).toEqual(Object.keys(since))
  })
})

test('an end that is heard of late ends what was made before it happened, and nothing that was made since', async () => {
  const sub = 'late'
  const now = Date.now()
  await tell(userMessage(sub, 1), memberMessage(`m_${sub}`, sub, 'org:member', 1))
  await tell(memberMessage(`n_${sub}`, sub, 'org:member', 5))
  const status = async (iat: number) =>
    (await service.get('/api/v1/users/me', { token: await issuer.forge({ sub, iat }) })).status
  const minute = (ago: number) => Math.floor(now / 1000) - ago * 60
  expect([await status(minute(30)), await status(minute(10))]).toEqual([200, 200])
  await tell(memberMessage(`m_${sub}`, sub, 'org:member', 1, { kind: 'deleted', timestamp: now - 20 * 60_000 }))
  expect([await status(minute(30)), await status(minute(10))]).toEqual([401, 200])
})

test('a sign-in that was under way when the access ended begins no session', async () => {
  const { id } = await service.person('writer')
  const { data } = await service.post('/api/v1/sign-in-links', { user_id: id })
  const path = data.url.replace(/^https?:\/\/[^/]+/, '')
  const browsers = Array.from({ length: 5 }, () => openBrowser(service.app.server))
  await Promise.all([...browsers.map((browser) => browser.open(path)), activate(id, false)])
  await activate(id, true)
  for (const browser of browsers) expect((await browser.send('POST', '/session/token')).status).toBe(401)
})
