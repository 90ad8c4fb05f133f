// Facts about the documentation that the service serves: the OpenAPI document, the pages, and what the pages may load.
import { outsideRoutes } from '@atelier/contract/routes/outside-routes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../support/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService({
    PUBLIC_URL: 'https://atelier.example.org',
    ATELIER_OAUTH_ISSUER: 'https://issuer.example.org',
  })
})
afterAll(() => service.close())

const open = (path: string, headers: Record<string, string> = {}) => service.get(path, { token: null, headers })

describe('the document', () => {
  test('is open to everybody, and this deployment’s', async () => {
    const { status, headers, body } = await open('/openapi.json')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(body).toMatchObject({ openapi: '3.1.1', servers: [{ url: 'https://atelier.example.org' }] })
    expect(body.info.version).toMatch(/^\d+\.\d+\.\d+/)
  })

  test('is not sent again to whoever has it', async () => {
    const { headers } = await open('/openapi.json')
    const again = await open('/openapi.json', { 'if-none-match': String(headers.etag) })
    expect(again).toMatchObject({ status: 304, text: '' })
    expect(again.headers.etag).toBe(headers.etag)
    expect((await open('/openapi.json', { 'if-none-match': '"older"' })).status).toBe(200)
  })

  test('has its length in the answer to HEAD, unless that is a 304', async () => {
    const { text, headers } = await open('/openapi.json')
    const head = (more = {}) => service.ask('HEAD', '/openapi.json', { token: null, headers: more })
    expect((await head()).headers['content-length']).toBe(String(Buffer.byteLength(text)))
    const again = await head({ 'if-none-match': String(headers.etag) })
    expect([again.status, again.headers['content-length']]).toEqual([304, undefined])
  })

  // The routes left out need a session, a sign-in link, an issuer or a signature to succeed; they are tested elsewhere.
  const {
    sessionToken: _token,
    signOut: _end,
    signInByLink: _link,
    signInCallback: _back,
    identityWebhook: _hook,
    ...openToAll
  } = outsideRoutes
  test.for(Object.values(openToAll))('is right about $path', async ({ path, status, type, tagged }) => {
    const answer = await open(path)
    expect(answer.status).toBe(status)
    if (type !== null) expect(answer.headers['content-type']).toContain(type)
    if (tagged) expect(answer.headers.etag).toBeTruthy()
  })
})

describe('the pages', () => {
  test('are where the way in leads', async () => {
    expect((await open('/')).headers.location).toBe('/docs')
  })

  test('are also there with a slash after the address', async () => {
    const { status, text } = await open('/docs/')
    expect([status, text]).toEqual([200, expect.stringContaining('Atelier API')])
  })

  test('name only files that this server has', async () => {
    const { text } = await open('/docs')
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
    expect(files.length).toBeGreaterThan(4)
    for (const file of files) {
      expect(file).toMatch(/^\/docs\//)
      expect((await open(file)).status).toBe(200)
    }
  })

  test('may run their own scripts and load nothing from elsewhere; other answers may run nothing', async () => {
    for (const path of ['/docs', '/docs/', '/docs/static/swagger-ui-bundle.js']) {
      const policy = String((await open(path)).headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self';")
      expect(policy).not.toMatch(/https?:|\*/)
    }
    for (const path of ['/openapi.json', '/healthz', '/api/v1/users/me', '/docs/errors', '/docs/nothing']) {
      const policy = String((await open(path)).headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('script-src')
    }
  })
})

describe('refusals', () => {
  test('are explained where the type of a problem leads', async () => {
    const { body } = await open('/api/v1/tasks/columns')
    const [page = '', code] = String(body.type).split('#')
    expect(code).toBe('unauthenticated')
    expect((await open(page)).text).toContain(`<section id="${code}">`)
  })

  test('are declared also for a body where none is taken', async () => {
    const { data: task } = await service.post('/api/v1/tasks', { name: 'Glow serum' })
    const path = `/api/v1/tasks/${task.id}/restore`
    const asText = await service.post(path, undefined, { raw: 'now', headers: { 'content-type': 'text/plain' } })
    expect(asText.body.code).toBe('unsupported_media_type')
    const tooLarge = await service.post(path, undefined, { raw: ' '.repeat(service.config.bodyLimit + 1) })
    expect(tooLarge.body.code).toBe('body_too_large')
  })
})
