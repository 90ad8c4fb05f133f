// Facts about static tokens: each is shown once, limited by its person's role, listed without its secret, and revoked at once.
import { scopes } from '@atelier/contract/enums.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, nobody, refusal } from '../support/make.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const issue = (members: unknown, options = {}) => service.post('/api/v1/tokens', members, options)
const list = async (options = {}): Promise<Body[]> => {
  const { data } = await service.get('/api/v1/tokens?limit=100', options)
  return data.items
}
const caller = (token: string) => service.get('/api/v1/users/me', { token })

test('a token is shown when it is issued, and never again', async () => {
  const { status, data } = await issue({ name: 'Ad platform', scopes: ['creatives:lookup'] })
  expect(status).toBe(200)
  expect(data.token).toMatch(/^atl_[\w-]{43}$/)
  expect(data).toMatchObject({
    name: 'Ad platform',
    hint: data.token.slice(-4),
    scopes: ['creatives:lookup'],
    user_id: null,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
  })
  const { token, ...shown } = data
  expect(await list()).toContainEqual(shown)
  expect((await service.get('/api/v1/tokens')).text).not.toContain(token)
})

test('only a hash of a token is kept', async () => {
  const { data } = await issue({ name: 'Hashed', scopes: ['read'] })
  const rows = await service.rows('select row_to_json(tokens)::text as text from tokens')
  for (const { text } of rows) expect(text).not.toContain(data.token)
})

test('an integration does what its scopes say and nothing else', async () => {
  const { data } = await issue({ name: 'Reader', scopes: ['read'] })
  const asked = { token: data.token }
  expect((await caller(data.token)).data).toEqual({ kind: 'integration', name: 'Reader', user: null, scopes: ['read'] })
  expect((await service.get('/api/v1/tasks/board', asked)).status).toBe(200)
  const refused = await service.post('/api/v1/tasks', { name: 'x' }, asked)
  expect(refusal(refused)).toEqual([403, 'insufficient_scope'])
  expect(refused.headers['www-authenticate']).toContain('scope="tasks:write"')
})

test("a person's token is narrowed by the person's role", async () => {
  const reader = await service.person('reader')
  const { data } = await issue({ name: 'Laptop', scopes: [...scopes], user_id: reader.id })
  const { user, ...me } = (await caller(data.token)).data
  expect(me).toEqual({ kind: 'person', name: 'A reader', scopes: ['read', 'creatives:lookup'] })
  expect(user).toMatchObject({ id: reader.id, role: 'reader', active: true })
})

test('only an admin issues tokens', async () => {
  const writer = await service.person('writer')
  expect(refusal(await issue({ name: 'x', scopes: ['read'] }, writer))).toEqual([403, 'insufficient_scope'])
})

test('everyone sees their own tokens, an admin everyone’s', async () => {
  const [writer, integration] = [await service.person('writer'), await service.integration(['read'])]
  expect((await list(writer)).map(({ user_id }) => user_id)).toEqual([writer.id])
  const own = await list(integration)
  expect(own).toEqual([expect.objectContaining({ user_id: null, scopes: ['read'] })])
  const all = await list()
  expect(all.map(({ user_id }) => user_id)).toContain(writer.id)
  expect(all.map(({ id }) => id)).toContain(own[0].id)
})

test('a revoked token is refused from the next request on', async () => {
  const { data } = await issue({ name: 'Lost', scopes: ['read'] })
  expect((await caller(data.token)).status).toBe(200)
  const revoked = await service.del(`/api/v1/tokens/${data.id}`)
  expect(revoked.data.revoked_at).not.toBeNull()
  expect(refusal(await caller(data.token))).toEqual([401, 'invalid_token'])
  expect((await service.del(`/api/v1/tokens/${data.id}`)).text).toBe(revoked.text)
})

test('a token revokes itself and those of its person, and no others', async () => {
  const [writer, other] = [await service.person('writer'), await service.person('writer')]
  const [theirs] = await list(other)
  expect(refusal(await service.del(`/api/v1/tokens/${theirs.id}`, writer))).toEqual([404, 'not_found'])
  const { data } = await issue({ name: 'Second', scopes: ['read'], user_id: writer.id })
  expect((await service.del(`/api/v1/tokens/${data.id}`, writer)).status).toBe(200)
  const integration = await service.integration(['read'])
  const [own] = await list(integration)
  expect((await service.del(`/api/v1/tokens/${own.id}`, integration)).status).toBe(200)
  expect(refusal(await caller(integration.token))).toEqual([401, 'invalid_token'])
})

test('a token ends when it expires', async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const { data } = await issue({ name: 'For an hour', scopes: ['read'], expires_at })
  expect(data.expires_at).toBe(expires_at)
  expect((await caller(data.token)).status).toBe(200)
  service.clock.offset = 3_601_000
  expect(refusal(await caller(data.token))).toEqual([401, 'invalid_token'])
  service.clock.offset = 0
})

test('the token of a deactivated person is refused', async () => {
  const writer = await service.person('writer')
  await service.rows('update users set active = false where id = $1', [writer.id])
  expect(refusal(await caller(writer.token))).toEqual([401, 'invalid_token'])
})

test('a token needs scopes, a person that exists, and an end to come; every error is told at once', async () => {
  expect(faults(await issue({}))).toEqual(['missing body.scopes'])
  expect(faults(await issue({ name: 'x', scopes: [] }))).toEqual(['too_short body.scopes'])
  expect(faults(await issue({ name: 'x', scopes: ['everything'] }))).toEqual(['enum body.scopes.0'])
  expect(faults(await issue({ name: 'x', scopes: ['read'], user_id: nobody }))).toEqual(['value_error body.user_id'])
  expect(faults(await issue({ name: 'x', scopes: ['read'], user_id: 'x' }))).toEqual(['value_error body.user_id'])
  const past = { name: 'x', scopes: ['read'], expires_at: '2020-01-01T00:00:00Z' }
  expect(faults(await issue(past))).toEqual(['value_error body.expires_at'])
  expect(faults(await issue({ ...past, user_id: 'x' }))).toEqual([
    'value_error body.user_id',
    'value_error body.expires_at',
  ])
})

test('a token without a name is called Token', async () => {
  const { status, data } = await issue({ scopes: ['read'] })
  expect([status, data.name]).toEqual([200, 'Token'])
  expect((await caller(data.token)).data.name).toBe('Token')
})

test('without a token, or with one that is none, nothing is answered', async () => {
  const path = '/api/v1/users/me'
  expect(refusal(await service.get(path, { token: null }))).toEqual([401, 'unauthenticated'])
  for (const authorization of ['Bearer', 'Bearer atl_unknown', 'Basic YTpi', `bearer  ${service.owner.token}x`]) {
    const refused = await service.get(path, { token: null, headers: { authorization } })
    expect(refusal(refused)).toEqual([401, 'invalid_token'])
    expect(refused.headers['www-authenticate']).toMatch(/^Bearer /)
  }
})

test('the last use of a token is known, to the minute', async () => {
  const { data } = await issue({ name: 'Used', scopes: ['read'] })
  await caller(data.token)
  await service.app.services.auth.recordUse()
  const used = (await list()).find(({ id }) => id === data.id)
  expect(used.last_used_at).toMatch(/T\d\d:\d\d:00\.000Z$/)
})

test('a token is revoked only by its id', async () => {
  for (const id of [nobody, 'x']) expect(refusal(await service.del(`/api/v1/tokens/${id}`))).toEqual([404, 'not_found'])
})
