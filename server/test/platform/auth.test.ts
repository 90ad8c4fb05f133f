// Facts about static bearer tokens: how a request without a valid token is refused, what the process caches, when tokens end.
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAuth, hashToken } from '../../src/platform/auth.ts'
import { createLog } from '../../src/platform/log.ts'
import { createApp } from '../../src/wiring/app.ts'
import { eventually } from '../support/eventually.ts'
import { type Reply, type Service, shared, startService } from '../support/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(() => {
  service.clock.offset = 0
})

const board = '/api/v1/tasks/board?limit=1'
const me = '/api/v1/users/me'
const withHeader = (authorization: string): Promise<Reply> =>
  service.get(board, { token: null, headers: { authorization } })
const issue = async (members: Record<string, unknown> = {}) =>
  (await service.post('/api/v1/tokens', { name: 'Laptop', scopes: ['read'], user_id: service.owner.id, ...members }))
    .data

describe('a request', () => {
  test('without credentials is told how to send them, and no error (RFC 6750 §3)', async () => {
    const { status, headers, body } = await service.get(board, { token: null })
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect(headers['www-authenticate']).toBe('Bearer realm="atelier"')
  })

  test('with an unknown token is told so', async () => {
    const { status, headers, body } = await withHeader('Bearer atl_unknown')
    expect([status, body.code]).toEqual([401, 'invalid_token'])
    expect(headers['www-authenticate']).toMatch(
      /^Bearer realm="atelier", error="invalid_token", error_description="[^"]+"$/,
    )
  })

  test('without the scope it needs is told which', async () => {
    const { token } = await service.integration(['creatives:lookup'])
    const { status, headers, body } = await service.get(board, { token })
    expect([status, body.code, body.scope]).toEqual([403, 'insufficient_scope', 'read'])
    expect(headers['www-authenticate']).toBe('Bearer realm="atelier", error="insufficient_scope", scope="read"')
  })

  test('without the scope because of the role of its person is told that, whatever token the person has', async () => {
    const asked = async (token: string) => (await service.post('/api/v1/tasks', { name: 'x' }, { token })).body.detail
    const byRole = 'Your role does not allow this: it needs the scope tasks:write. An admin can change your role.'
    expect(await asked((await service.person('reader')).token)).toBe(byRole)
    const byToken = 'This needs the scope tasks:write, which the token does not have.'
    expect(await asked((await service.person('writer', ['read'])).token)).toBe(byToken)
    expect(await asked((await service.integration(['read'])).token)).toBe(byToken)
  })

  test('names the scheme in any case, with any number of spaces', async () => {
    expect((await withHeader(`bearer   ${service.owner.token} `)).status).toBe(200)
  })

  test.each([
    'Basic YTpi',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer a,b',
    'Bearer \u00e9\u00e9',
    'Bearer \t',
    `Bearer ${'x'.repeat(8_000)}`,
    'Bearer a.b.c',
    'Bearer eyJhbGciOiJub25lIn0.e30.',
    `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.!!!.???`,
    "Bearer ' or 1=1 --",
    'atl_naked',
    ',',
  ])('with the header %j is a 401', async (header) => {
    const { status, body } = await withHeader(header)
    expect([status, body.code]).toEqual([401, 'invalid_token'])
  })

  test('with two Authorization headers is judged by the first', async () => {
    const address = await service.app.server.listen({ host: '127.0.0.1', port: 0 })
    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      const headers = [
        'host',
        'localhost',
        'authorization',
        'Bearer no',
        'authorization',
        `Bearer ${service.owner.token}`,
      ]
      request(address + board, { headers }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(401)
  })
})

describe('a token', () => {
  test('is shown once and kept as its hash', async () => {
    const issued = await issue()
    expect(issued.token).toMatch(/^atl_[\w-]{43}$/)
    const [row] = await service.rows('select to_jsonb(t)::text as text, hash from tokens t where id = $1', [issued.id])
    expect(Buffer.from(row.hash)).toEqual(hashToken(issued.token))
    expect(row.text).not.toContain(issued.token.slice(0, -4))
    const listed = await service.get('/api/v1/tokens?limit=100')
    expect(listed.text).not.toContain(issued.token)
  })

  test('ends when its time is up, by the clock of the process, also while it is remembered', async () => {
    const issued = await issue({ expires_at: new Date(Date.now() + 60_000).toISOString() })
    expect((await service.get(board, { token: issued.token })).status).toBe(200)
    service.clock.offset = 59_000
    expect((await service.get(board, { token: issued.token })).status).toBe(200)
    service.clock.offset = 60_001
    const { status, body } = await service.get(board, { token: issued.token })
    expect([status, body.code, body.detail]).toEqual([401, 'invalid_token', 'The token has expired.'])
  })

  test('may do what its person may, however much it was given', async () => {
    const { token } = await service.person('reader')
    const { data } = await service.get(me, { token })
    expect(data.scopes).toEqual(['read', 'creatives:lookup'])
    expect((await service.post('/api/v1/tasks', { name: 'No' }, { token })).body).toMatchObject({
      scope: 'tasks:write',
    })
  })

  test('may do no more than it was given, however much its person may', async () => {
    const { token } = await service.person('admin', ['read'])
    expect((await service.get(me, { token })).data.scopes).toEqual(['read'])
  })

  test('of an integration does what its scopes say', async () => {
    const { token } = await service.integration(['read', 'tasks:write'])
    const { data } = await service.get(me, { token })
    expect(data).toMatchObject({ user: null, kind: 'integration', scopes: ['read', 'tasks:write'] })
    expect((await service.post('/api/v1/tasks', { name: 'Yes' }, { token })).status).toBe(200)
  })

  test('leaves when it was last used, to the minute', async () => {
    const { id, token } = await issue()
    const used = async () => {
      await service.app.services.auth.recordUse()
      const [row] = await service.rows('select last_used_at from tokens where id = $1', [id])
      return row.last_used_at
    }
    expect(await used()).toBeNull()
    service.clock.offset = Date.parse('2030-01-01T10:20:30.400Z') - Date.now()
    await service.get(board, { token })
    expect(await used()).toBe('2030-01-01T10:20:00.000Z')
    service.clock.offset += 60_000
    expect(await used()).toBe('2030-01-01T10:20:00.000Z') // the token has not been used since
    await service.get(board, { token })
    expect(await used()).toBe('2030-01-01T10:21:00.000Z')
  })
})

describe('a change', () => {
  test("ends a revoked token at once in the process that was asked, and its use under way can't keep it", async () => {
    for (let turn = 0; turn < 10; turn++) {
      const { id, token } = await issue()
      let revoked = false
      const users = Array.from({ length: 4 }, async () => {
        while (!revoked) await service.get(me, { token })
      })
      expect((await service.del(`/api/v1/tokens/${id}`)).status).toBe(200)
      const after = await service.get(me, { token })
      revoked = true
      await Promise.all(users)
      expect([after.status, after.body.detail]).toEqual([401, 'The token was revoked.'])
    }
  })

  test('ends a revoked token in another process by notice, long before it would forget it', async () => {
    const other = await service.another()
    const { id, token } = await issue()
    expect((await other.get(me, { token })).status).toBe(200)
    await service.del(`/api/v1/tokens/${id}`)
    await eventually(async () => expect((await other.get(me, { token })).status).toBe(401))
    await other.close()
  })

  test('is noticed within seconds also where no notice comes', async () => {
    const { id, token } = await issue()
    expect((await service.get(me, { token })).status).toBe(200)
    await service.rows('update tokens set revoked_at = now_ms() where id = $1', [id]) // this change sends no notice
    expect((await service.get(me, { token })).status).toBe(200)
    service.clock.offset = 5_001
    expect((await service.get(me, { token })).status).toBe(401)
  })

  test("ends a deactivated person's access at once and for good; activated again, another token is needed", async () => {
    const { id, token } = await service.person('writer')
    expect((await service.get(me, { token })).status).toBe(200)
    expect((await service.patch(`/api/v1/users/${id}`, { active: false })).status).toBe(200)
    const { status, body } = await service.get(me, { token })
    expect([status, body.detail]).toEqual([401, 'The person this token belongs to is deactivated.'])
    await service.patch(`/api/v1/users/${id}`, { active: true })
    expect((await service.get(me, { token })).status).toBe(401)
    const issued = await service.post('/api/v1/tokens', { name: 'back', scopes: ['read'], user_id: id })
    expect((await service.get(me, { token: issued.body.data.token })).status).toBe(200)
  })

  test('of a role changes what a token may at once', async () => {
    const { id, token } = await service.person('writer')
    expect((await service.post('/api/v1/tasks', { name: 'Yes' }, { token })).status).toBe(200)
    await service.patch(`/api/v1/users/${id}`, { role: 'reader' })
    expect((await service.post('/api/v1/tasks', { name: 'No' }, { token })).status).toBe(403)
  })

  test('is not undone by a row that was read before it and arrives after it', async () => {
    const { id, token } = await issue()
    const arrived = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    let reads = 0
    const slowly: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (++reads > 1) return result
        arrived.resolve()
        await held.promise
        return result
      },
    }
    const database = { ...service.database, main: service.database.main.withPlugin(slowly) }
    const auth = await createAuth(database, service.clock)
    const slow = auth.authenticate(`Bearer ${token}`)
    await arrived.promise // the row has been read, and says that the token is valid
    await service.del(`/api/v1/tokens/${id}`)
    auth.forget() // as the change notice would do
    held.resolve()
    expect((await slow).tokenId).toBe(id) // this request began before the change, so it succeeds
    await expect(auth.authenticate(`Bearer ${token}`)).rejects.toThrow('The token was revoked.')
  })
})

test("the operator's token may do everything, in the process that made it only", async () => {
  const operatorToken = 'atl_operator_for_this_test'
  const { database, config, clock } = service
  const log = createLog('silent')
  const app = await createApp({ config, database: shared(database), log, clock, operatorToken })
  const headers = { authorization: `Bearer ${operatorToken}` }
  const answer = await app.server.inject({ url: me, headers })
  expect(answer.json().data).toMatchObject({ user: null, name: 'Operator' })
  expect(answer.json().data.scopes).toContain('admin')
  await app.stop()
  expect((await service.get(me, { token: operatorToken })).status).toBe(401)
})
