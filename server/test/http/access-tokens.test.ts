// Facts about OAuth 2.0 access tokens from a real authorization server: which tokens are accepted, and for which person.
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ensureOwner } from '../../src/features/people/owner.ts'
import { type Service, startService } from '../support/harness.ts'
import { audience, type Issuer, startIssuer } from '../support/issuer.ts'

let issuer: Issuer
let service: Service
const start = () => startService({ ATELIER_OAUTH_ISSUER: issuer.url, ATELIER_OAUTH_AUDIENCE: audience })

beforeAll(async () => {
  issuer = await startIssuer()
  service = await start()
})
afterAll(async () => {
  await service.close()
  await issuer.stop()
})

const me = (token: string) => service.get('/api/v1/users/me', { token })

test('a token of the issuer speaks for a person, made on first sight as a reader', async () => {
  const answer = await me(await issuer.token())
  expect(answer.status).toBe(200)
  expect(answer.data).toMatchObject({ kind: 'person', user: { role: 'reader', active: true }, scopes: ['read'] })
})

test('the same subject is the same person, also at fifty first requests at once', async () => {
  const token = await issuer.forge({ sub: 'crowd' })
  const answers = await Promise.all(Array.from({ length: 50 }, () => me(token)))
  expect(new Set(answers.map(({ data }) => data.user.id)).size).toBe(1)
})

test('scopes are the token’s, as far as the role allows', async () => {
  const token = await issuer.forge({ sub: 'promoted', scope: 'read tasks:write admin unknown' })
  const { data } = await me(token)
  await service.patch(`/api/v1/users/${data.user.id}`, { role: 'writer' })
  expect((await me(token)).data.scopes).toEqual(['read', 'tasks:write'])
})

test('a scope the token lacks is named in the challenge', async () => {
  const answer = await service.post('/api/v1/tasks', { name: 'x' }, { token: await issuer.forge({ scope: 'read' }) })
  expect(answer.status).toBe(403)
  expect(answer.headers['www-authenticate']).toContain('error="insufficient_scope", scope="tasks:write"')
})

test('a deactivated person is out at once', async () => {
  const token = await issuer.forge({ sub: 'leaving' })
  const { data } = await me(token)
  await service.patch(`/api/v1/users/${data.user.id}`, { active: false })
  expect(await me(token)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
})

test('a person the webhook told of is the one the token speaks for', async () => {
  const id = await service.database.tx(async (tx) => {
    const { insertUser } = await import('../../src/features/people/store.ts')
    return insertUser(tx, { name: 'Known', email: null, role: 'writer' })
  })
  await service.rows(`insert into directory_users (provider_id, user_id, known) values ('told', $1, true)`, [id])
  expect((await me(await issuer.forge({ sub: 'told' }))).data).toMatchObject({ name: 'Known', user: { id } })
})

describe('refused as invalid_token', () => {
  const seconds = () => Math.floor(Date.now() / 1000)
  const cases: [string, () => Promise<string>][] = [
    ['another audience', () => issuer.forge({ aud: 'https://elsewhere.example' })],
    ['no audience', () => issuer.forge({ aud: undefined })],
    ['another issuer', () => issuer.forge({ iss: 'https://evil.example' })],
    ['an ID token’s type', () => issuer.forge({}, { typ: 'JWT' })],
    ['no type', () => issuer.forge({}, { typ: undefined })],
    ['expired', () => issuer.forge({ exp: seconds() - 60 })],
    ['not valid yet', () => issuer.forge({ nbf: seconds() + 600 })],
    ['no subject', () => issuer.forge({ sub: undefined })],
    ['no expiry', () => issuer.forge({ exp: undefined })],
    ['an unknown key', () => issuer.forge({}, { kid: 'second' })],
    ['another’s signature', () => signedByStranger()],
    ['no signature: alg none', async () => unsigned()],
    ['HS256 with the public key as the secret', () => signedWithPublicKey()],
    ['a changed payload', async () => changedPayload(await issuer.forge())],
    ['half of one', async () => (await issuer.forge()).slice(0, -20)],
    ['an extension nobody knows, in characters that no header takes', async () => extended('a\nb→"\\'.repeat(1000))],
    ['the server’s own token for another resource', () => issuer.token({ resource: 'https://elsewhere.example' })],
  ]
  test.each(cases)('%s', async (_what, make) => {
    const answer = await me(await make())
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.headers['www-authenticate']).toMatch(/error="invalid_token", error_description="[^"\\]{1,200}"$/)
  })

  const claims = () => ({
    iss: issuer.url,
    aud: audience,
    sub: 's',
    client_id: 'c',
    jti: 'j',
    iat: seconds(),
    exp: seconds() + 60,
  })
  const signedByStranger = async () => {
    const { privateKey } = await generateKeyPair('RS256')
    return new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'first' }).sign(privateKey)
  }
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = () => `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims())}.`
  const extended = (name: string) => `${part({ alg: 'RS256', typ: 'at+jwt', crit: [name] })}.${part(claims())}.AAAA`
  const signedWithPublicKey = () =>
    new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'first' })
      .sign(new TextEncoder().encode(issuer.publicKeyText))
  const changedPayload = (token: string) => {
    const [head, , signature] = token.split('.')
    return `${head}.${part({ ...claims(), scope: 'admin' })}.${signature}`
  }
})

test.each([
  ['with two dots', 'prod.atelier.0123456789abcdef0123456789abcdef'],
  ['with the form of a session’s', `ats_${'chosen'.repeat(12)}`],
])('a token that the operator has chosen is taken, also one %s; unknown ones are not', async (_what, token) => {
  expect(await me(token)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
  await ensureOwner(service.database, token)
  expect((await me(token)).data.user.id).toBe(service.owner.id)
})

test('a token is refused from the moment it ends, also one that was just verified', async () => {
  const token = await issuer.forge({ sub: 'short', exp: Math.floor(Date.now() / 1000) + 60 })
  expect((await me(token)).status).toBe(200)
  service.clock.offset = 120_000
  expect((await me(token)).status).toBe(401)
  service.clock.offset = 0
})

test('known keys serve while the issuer is down; a process that never saw them answers 503', async () => {
  const token = await issuer.forge({ sub: 'outage' })
  expect((await me(token)).status).toBe(200)
  await issuer.stop()
  const other = await start()
  try {
    expect((await me(await issuer.forge({ sub: 'outage-2' }))).status).toBe(200)
    const answer = await other.get('/api/v1/users/me', { token })
    expect(answer).toMatchObject({ status: 503, body: { code: 'issuer_unavailable' } })
    expect(answer.headers['retry-after']).toBeDefined()
    await issuer.start()
    expect((await other.get('/api/v1/users/me', { token })).status).toBe(200)
  } finally {
    await other.close()
  }
})

describe('when the issuer changes its keys', () => {
  afterAll(() => void vi.useRealTimers())

  test('a new one is found, the old one serves as long as it is published, and not after', async () => {
    const fresh = await start() // has not loaded any key yet
    const hour = Math.floor(Date.now() / 1000) + 3600
    const old = await issuer.forge({ sub: 'rotating', exp: hour })
    const statusOf = async (token: string) => (await fresh.get('/api/v1/users/me', { token })).status
    // Moves `Date` in this process, which the key cache uses. The tokens end an hour from now, so they stay valid meanwhile.
    const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
    vi.useFakeTimers({ toFake: ['Date'] })
    expect(await statusOf(old)).toBe(200)

    await issuer.addKey('second')
    const next = await issuer.forge({ sub: 'rotating', exp: hour }, { kid: 'second' })
    expect(await statusOf(next)).toBe(401) // the keys are not fetched again so soon
    later(31)
    expect(await statusOf(next)).toBe(200)
    expect(await statusOf(old)).toBe(200)

    issuer.removeKey('first')
    later(601) // the cached keys expire, so the keys are fetched again
    expect(await statusOf(next)).toBe(200)
    expect(await statusOf(old)).toBe(401)
    await fresh.close()
  })
})

test('the metadata says where tokens come from, and a 401 leads there', async () => {
  const metadata = await service.ask('GET', '/.well-known/oauth-protected-resource', { token: null })
  expect(metadata.body).toMatchObject({ resource: audience, authorization_servers: [issuer.url] })
  const answer = await service.get('/api/v1/users/me', { token: null })
  expect(answer.headers['www-authenticate']).toBe(
    'Bearer realm="atelier", resource_metadata="/.well-known/oauth-protected-resource"',
  )
})
