// Facts about rate limits: unknown callers are limited by their address, known callers by their own limit.
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostAtOnce, signInsPerMinute } from '../../src/platform/http/rates.ts'
import { type Service, startService } from '../support/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ ATELIER_RATE_LIMIT: '5', ATELIER_ADDRESS_RATE_LIMIT: '8' })
})
afterAll(() => service.close())

type Asked = { method?: 'GET' | 'HEAD' | 'POST'; url: string; headers?: Record<string, string>; payload?: string }
/** How many addresses tests have used: each test calls from another one. */
let addresses = 0
const from = (ip: string) => (asked: Asked) => service.app.server.inject({ remoteAddress: ip, ...asked })
const me = (token: string): Asked => ({ url: '/api/v1/users/me', headers: { authorization: `Bearer ${token}` } })

async function statuses(times: number, ask: (turn: number) => Promise<{ statusCode: number }>): Promise<number[]> {
  const found: number[] = []
  for (let turn = 0; turn < times; turn++) found.push((await ask(turn)).statusCode)
  return found
}
const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status)

test('a caller who asks too much is refused for the rest of the minute, whichever token; others at the address are not', async () => {
  const ask = from('203.0.113.1')
  const { id, token } = await service.person('reader')
  const second = await service.post('/api/v1/tokens', { name: 'Second', scopes: ['read'], user_id: id })
  expect(await statuses(5, () => ask(me(token)))).toEqual(times(5, 200))
  for (const one of [token, second.data.token]) {
    const refused = await ask(me(one))
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json().retry_after).toBe(Number(refused.headers['retry-after']))
  }
  // Many people behind one address: requests of known callers do not count against the address.
  for (let person = 0; person < 20; person++) {
    expect((await ask(me((await service.person('reader')).token))).statusCode).toBe(200)
  }
  service.clock.offset += 61_000
  expect((await ask(me(token))).statusCode).toBe(200)
})

test.for([
  ['made-up tokens', (turn: number): Asked => me(`atl_${turn}`)],
  ['made-up tokens of a session', (turn: number): Asked => me(`ats_${turn}`)],
  ['no token', (): Asked => ({ url: '/api/v1/users/me' })],
  [
    'made-up signatures of links',
    (turn: number): Asked => {
      return { url: `/api/v1/files/${'0'.repeat(64)}?expires=9999999999&signature=${String(turn).padStart(66, 'x')}` }
    },
  ],
  [
    'made-up codes with signatures beside',
    (turn: number): Asked => {
      return { url: `/sign-in?code=x&signature=${String(turn).padStart(22, 'x')}` }
    },
  ],
  ['looks at a link', (): Asked => ({ method: 'HEAD', url: '/sign-in' })],
  [
    'unsigned webhooks',
    (turn: number): Asked => {
      const headers = { authorization: `Bearer ${turn}`, 'content-type': 'application/json' }
      return { method: 'POST', url: '/webhooks/identity-provider', headers, payload: '{}' }
    },
  ],
  [
    'tokens for pages',
    (turn: number): Asked => {
      return { method: 'POST', url: '/session/token', headers: { authorization: `Bearer ${turn}` } }
    },
  ],
  ['addresses of nothing', (turn: number): Asked => ({ url: `/no/${turn}` })],
] as const)('%s are counted for their address, and then nothing of it is looked at', async ([, asked]) => {
  const ask = from(`198.51.100.${++addresses}`)
  const found = await statuses(10, (turn) => ask(asked(turn)))
  expect(found.slice(0, 8)).not.toContain(429)
  expect(found.slice(8)).toEqual([429, 429])
  const { token } = await service.person('reader')
  expect((await ask(me(token))).statusCode).toBe(429)
  expect((await from('198.51.100.250')(me(token))).statusCode).toBe(200)
})

test('each of three processes counts by itself: three times as much is taken overall', async () => {
  const processes = [service, await service.another(), await service.another()]
  const { token } = await service.person('reader')
  const asked = { remoteAddress: '203.0.113.3', ...me(token) }
  const each = await Promise.all(processes.map(({ app }) => statuses(8, () => app.server.inject(asked))))
  expect(each).toEqual(processes.map(() => [...times(5, 200), ...times(3, 429)]))
  for (const other of processes.slice(1)) await other.close()
})

test('whoever watches is never refused', async () => {
  expect(await statuses(20, () => from('203.0.113.2')({ url: '/healthz' }))).toEqual(times(20, 200))
})

test('behind a proxy that is trusted the address is the one it says; what others say of it counts for nothing', async () => {
  const trusting = await startService({ ATELIER_ADDRESS_RATE_LIMIT: '3', ATELIER_TRUSTED_PROXIES: '10.0.0.0/8' })
  const ask = (remoteAddress: string, said: string) =>
    trusting.app.server.inject({ url: '/session', remoteAddress, headers: { 'x-forwarded-for': said } })
  expect(await statuses(4, () => ask('10.1.2.3', '203.0.113.5'))).toEqual([200, 200, 200, 429])
  expect((await ask('10.1.2.3', '203.0.113.6')).statusCode).toBe(200)
  expect(await statuses(4, (turn) => ask('203.0.113.7', `203.0.113.${20 + turn}`))).toEqual([200, 200, 200, 429])
  await trusting.close()
})

test('attempts to sign in have a bound of their own, and a page says so', async () => {
  const wide = await startService({ ATELIER_ADDRESS_RATE_LIMIT: '6000' })
  const attempt = () =>
    wide.app.server.inject({
      method: 'POST',
      url: '/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:80' },
      payload: 'code=guessed',
    })
  const found = await statuses(signInsPerMinute, attempt)
  expect(found).not.toContain(429)
  const refused = await attempt()
  expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
  expect(refused.payload).toContain('attempts to sign in')
  await wide.close()
})

/** Starts a request that stays open; the end of the test closes it. */
async function underWay(url: string, method: string, headers: Record<string, string>): Promise<ClientRequest> {
  const sent = request(url, { method, headers })
  sent.on('error', () => undefined)
  if (method === 'GET') {
    sent.end()
    await once(sent, 'response')
  } else {
    sent.flushHeaders()
    await once(sent, 'continue')
  }
  return sent
}

test.for([
  ['event streams', 'GET', '/api/v1/events'],
  ['uploads', 'POST', '/api/v1/files'],
] as const)(
  '%s at once have a bound for each caller, and one that ends makes room',
  async ([what, method, address]) => {
    const open = await startService()
    const base = await open.app.server.listen({ host: '127.0.0.1', port: 0 })
    const headers = (token: string) => ({
      authorization: `Bearer ${token}`,
      ...(method === 'POST' ? { 'content-type': 'text/plain', 'content-length': '10', expect: '100-continue' } : {}),
    })
    const begun = Array.from({ length: mostAtOnce[what].caller }, () =>
      underWay(base + address, method, headers(open.owner.token)),
    )
    const held = await Promise.all(begun)
    // An upload counts against the limit once its file exists. If the short upload below counted before the open uploads did, one
    // of the open ones would be refused.
    const arriving = path.join(open.config.files ?? '', 'incoming')
    if (method === 'POST') await expect.poll(() => readdir(arriving).catch(() => [])).toHaveLength(held.length)
    const short = { method, ...(method === 'POST' ? { body: 'short' } : {}) }
    const ask = async (token: string) => {
      const { authorization } = headers(token)
      const stop = new AbortController()
      const type = method === 'POST' ? { 'content-type': 'text/plain' } : {}
      const answer = await fetch(base + address, { ...short, headers: { authorization, ...type }, signal: stop.signal })
      const text = answer.status === 429 ? await answer.text() : ''
      stop.abort()
      return { status: answer.status, text }
    }
    expect((await ask(open.owner.token)).text).toContain(`More than ${mostAtOnce[what].caller} ${what} at once`)
    expect((await ask((await open.person('writer')).token)).status).toBe(200)
    held.pop()?.destroy()
    await expect.poll(() => ask(open.owner.token)).toMatchObject({ status: 200 })
    for (const one of held) one.destroy()
    await open.close()
  },
)
