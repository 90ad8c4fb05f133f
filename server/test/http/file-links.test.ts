// Facts about signed links to files: which file a link opens, for how long, and that it is refused once its creator lost access.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Reply, type Service, startService } from '../support/harness.ts'

const minute = 60_000
let service: Service
let digest: string
beforeAll(async () => {
  service = await startService()
  digest = await upload('a picture')
})
afterAll(() => service.close())
beforeEach(() => {
  service.clock.offset = 0
})

async function upload(text: string): Promise<string> {
  const { data } = await service.ask('POST', '/api/v1/files', { raw: text, headers: { 'content-type': 'image/png' } })
  return data.digest
}
async function linkFor(token?: string, of = digest): Promise<{ digest: string; url: string; expires_at: string }> {
  const { status, data } = await service.post('/api/v1/files/links', { digests: [of] }, token ? { token } : {})
  expect(status).toBe(200)
  return data[0]
}
const follow = (url: string, headers: Record<string, string> = {}): Promise<Reply> =>
  service.get(url, { token: null, headers })
const refused = { status: 401, body: { code: 'invalid_link' } }

test('a link opens its file without any header, in parts and as HEAD too', async () => {
  const { url } = await linkFor()
  expect(url).toMatch(new RegExp(`^/api/v1/files/${digest}\\?expires=\\d+&signature=[\\w-]+$`))
  expect(await follow(url)).toMatchObject({ status: 200, text: 'a picture' })
  expect(await follow(url, { range: 'bytes=2-4' })).toMatchObject({ status: 206, text: 'pic' })
  expect(await service.ask('HEAD', url, { token: null })).toMatchObject({ status: 200, text: '' })
})

test('a page of another origin may show what a link opens, and nothing that a token opens', async () => {
  const { url } = await linkFor()
  const policy = ({ headers }: Reply) => headers['cross-origin-resource-policy']
  const etag = String((await follow(url)).headers.etag)
  const opened = [
    await follow(url),
    await follow(url, { range: 'bytes=2-4' }),
    await follow(url, { 'if-none-match': etag }),
  ]
  expect(opened.map(({ status }) => status)).toEqual([200, 206, 304])
  expect(opened.map(policy)).toEqual(['cross-origin', 'cross-origin', 'cross-origin'])
  expect(policy(await service.get(`/api/v1/files/${digest}`))).toBe('same-origin')
})

test('links come for many at once, in the order asked', async () => {
  const digests = Array.from({ length: 500 }, (_, index) => createHash('sha256').update(`${index}`).digest('hex'))
  const { data } = await service.post('/api/v1/files/links', { digests })
  expect(data.map((link: { digest: string }) => link.digest)).toEqual(digests)
  expect(new Set(data.map((link: { url: string }) => link.url)).size).toBe(500)
  const tooMany = await service.post('/api/v1/files/links', { digests: [...digests, digest] })
  expect(tooMany.body.detail[0]).toMatchObject({ type: 'too_long', loc: ['body', 'digests'] })
  const wrong = await service.post('/api/v1/files/links', { digests: [digest, digest.toUpperCase(), '../x'] })
  expect(wrong.body.detail.map(({ loc }: { loc: unknown[] }) => loc[2])).toEqual([1, 2])
})

test('a link to no file leads to a 404', async () => {
  expect(await follow((await linkFor(undefined, '0'.repeat(64))).url)).toMatchObject({ status: 404 })
})

test('a link stays the same for a while, is good for 15 to 30 minutes, and not a second longer', async () => {
  const window = 15 * minute
  const start = Math.ceil(Date.now() / window) * window - Date.now() + 1000
  service.clock.offset = start
  const link = await linkFor()
  service.clock.offset = start + 14 * minute
  expect(await linkFor()).toEqual(link)
  service.clock.offset = start + 15 * minute
  expect((await linkFor()).url).not.toBe(link.url)
  const end = Date.parse(link.expires_at) - Date.now()
  expect(end - start).toBeGreaterThan(15 * minute)
  service.clock.offset = end - 1000
  expect((await follow(link.url)).status).toBe(200)
  service.clock.offset = end + 1
  expect(await follow(link.url)).toMatchObject(refused)
})

test('a link with anything changed opens nothing', async () => {
  const { url } = await linkFor()
  const other = await upload('another picture')
  const [expires = '', signature = ''] = [...new URL(url, 'http://x').searchParams.values()]
  const at = (given: { of?: string; expires?: string; signature?: string }) =>
    `/api/v1/files/${given.of ?? digest}?expires=${given.expires ?? expires}&signature=${given.signature ?? signature}`
  const changed = [
    at({ of: other }),
    at({ expires: String(Number(expires) + 1) }),
    at({ expires: `${expires}.0` }),
    at({ expires: `0${expires}` }),
    at({ expires: '' }),
    at({ signature: '' }),
    at({ signature: signature.slice(0, -1) }),
    at({ signature: `${signature}A` }),
    at({ signature: `${signature}=` }),
    at({ signature: (await linkFor(undefined, other)).url.split('signature=')[1] ?? '' }),
  ]
  for (const address of changed) expect(await follow(address), address).toMatchObject(refused)
  for (let place = 0; place < signature.length; place += 5) {
    const letter = signature[place] === 'A' ? 'B' : 'A'
    const forged = signature.slice(0, place) + letter + signature.slice(place + 1)
    expect(await follow(at({ signature: forged })), `changed at ${place}`).toMatchObject(refused)
  }
})

test('half a link is none', async () => {
  const { url } = await linkFor()
  for (const half of [url.replace(/&signature=.*/, ''), url.replace(/expires=\d+&/, '')]) {
    expect(await follow(half)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  }
})

test('a token that is sent along counts, not the link', async () => {
  const { url } = await linkFor()
  expect(await service.get(url, { token: 'atl_unknown' })).toMatchObject({
    status: 401,
    body: { code: 'invalid_token' },
  })
  expect((await service.get(url.replace('signature=', 'signature=x'))).status).toBe(200)
})

test('a link opens nothing but files', async () => {
  const { url } = await linkFor()
  const query = url.slice(url.indexOf('?'))
  expect((await follow(`/api/v1/users/me${query}`)).status).toBe(401)
  const upload = await service.ask('POST', `/api/v1/files${query}`, { token: null, raw: 'x' })
  expect(upload.status).toBe(401)
})

test('a link ends at once with its person, for good; whoever is back asks for another', async () => {
  const { id, token } = await service.person('reader')
  const { url } = await linkFor(token)
  expect((await follow(url)).status).toBe(200)
  await service.patch(`/api/v1/users/${id}`, { active: false })
  expect(await follow(url)).toMatchObject(refused)
  await service.patch(`/api/v1/users/${id}`, { active: true })
  expect(await follow(url)).toMatchObject(refused)
  const again = await service.post('/api/v1/tokens', { name: 'Again', scopes: ['read'], user_id: id })
  const back = await linkFor(again.data.token)
  expect((await follow(back.url)).status).toBe(200)
})

test('an integration’s link ends with its token', async () => {
  const { token } = await service.integration(['read'])
  const { url } = await linkFor(token)
  expect((await follow(url)).status).toBe(200)
  await service.rows('update tokens set revoked_at = now_ms() where hint = $1', [token.slice(-4)])
  expect(await follow(url)).toMatchObject(refused)
})

test('every process takes the links of every other', async () => {
  const other = await service.another()
  expect((await other.get((await linkFor()).url, { token: null })).status).toBe(200)
  await other.close()
})

test('people behind one address do not use up each other’s rate', async () => {
  // Of the four requests that a person may make, one creates the link and three open it.
  const limited = await startService({ ATELIER_RATE_LIMIT: '4' })
  const linkOf = async (token: string) => {
    const { data } = await limited.post('/api/v1/files/links', { digests: [digest] }, { token })
    return data[0].url
  }
  for (const { token } of [await limited.person('reader'), await limited.person('reader')]) {
    const url = await linkOf(token)
    const statuses: number[] = []
    for (let turn = 0; turn < 4; turn++) statuses.push((await limited.get(url, { token: null })).status)
    expect(statuses).toEqual([404, 404, 404, 429])
  }
  await limited.close()
})
