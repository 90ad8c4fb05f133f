// Facts about HTTP limits: sizes, headers, methods and malformed requests, most of them over real sockets.
// This file has over 400 lines because all these limits share one service with small limits, and one way to speak to it in bytes.
import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { outsideRoutes } from '@atelier/contract/routes/outside-routes.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { type App, createApp } from '../../src/wiring/app.ts'
import { openBrowser } from '../support/browser.ts'
import { type Service, shared, startService } from '../support/harness.ts'

let service: Service
let port: number
/** The log records of the service. */
const logged: Record<string, unknown>[] = []
let loggedText = ''

/** Starts a second app with other settings on the same database. */
async function appWith(environment: Record<string, string>): Promise<App> {
  const config = readConfig({
    LOG_LEVEL: 'silent',
    ATELIER_RATE_LIMIT: '0',
    ATELIER_ADDRESS_RATE_LIMIT: '0',
    ...environment,
  })
  const log = createLog(config.logLevel, {
    write(line) {
      loggedText += line
      logged.push(JSON.parse(line))
    },
  })
  return createApp({ config, database: shared(service.database), log, clock: service.clock })
}

let app: App
beforeAll(async () => {
  service = await startService()
  app = await appWith({ LOG_LEVEL: 'debug', ATELIER_BODY_LIMIT: '2048' })
  port = Number(new URL(await app.server.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(async () => {
  await app.stop()
  await service.close()
})

const owner = () => ({ authorization: `Bearer ${service.owner.token}` })
const json = { 'content-type': 'application/json' }
type Sent = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'QUERY'
  url: string
  headers?: Record<string, string>
  payload?: string | Buffer
}
const send = (sent: Sent, to: App = app) =>
  to.server.inject({ method: 'GET', ...sent, headers: { ...owner(), ...sent.headers } })
const createTask = (payload: string | Buffer, headers: Record<string, string> = json, to: App = app) =>
  send({ method: 'POST', url: '/api/v1/tasks', payload, headers }, to)

/**
 * Sends bytes over a new socket and reads until the server closes the connection or has sent `answers` responses.
 * If the server may wait for more bytes, pass `before`: it is called and awaited, and then the client ends the connection.
 */
async function exchange(
  bytes: string | Buffer,
  { answers = 1, before }: { answers?: number; before?: () => Promise<unknown> } = {},
): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined) // the server closed the connection; any response has been read by then
  let heard = ''
  const done = new Promise<void>((resolve) => {
    socket.setEncoding('latin1').on('data', (text: string) => {
      heard += text
      if (heard.split('HTTP/1.1 ').length > answers && heard.includes('\r\n\r\n')) resolve()
    })
    socket.on('close', () => resolve())
  })
  await once(socket, 'connect')
  socket.write(bytes)
  if (before) {
    await before()
    socket.end()
  }
  await done
  socket.destroy()
  return heard
}
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
const alive = async (): Promise<number> => statusOf(await exchange('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'))

describe('a body', () => {
  test('as long as the limit is read, one byte more is a 413', async () => {
    const padded = (length: number) => `{"name":"x"}${' '.repeat(length - 12)}`
    expect((await createTask(padded(2048))).statusCode).toBe(200)
    const refused = await createTask(padded(2049))
    expect([refused.statusCode, refused.json()]).toMatchObject([413, { code: 'body_too_large', limit: 2048 }])
    expect(refused.json().detail).toContain('2048')
  })

  test('that is a form has a limit of its own, which who sends more is told', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const send = (length: number) =>
      app.server.inject({ method: 'POST', url: '/sign-in', headers, payload: 'code='.padEnd(length, 'x') })
    expect((await send(4096)).statusCode).not.toBe(413)
    const refused = await send(4097)
    expect([refused.statusCode, refused.json()]).toMatchObject([413, { code: 'body_too_large', limit: 4096 }])
    expect(refused.json().detail).toBe('A form may have 4096 bytes at most here.')
  })

  test('that does not fit into the buffers of the connection is a 413 too, once all of it is sent', async () => {
    const length = 8_000_000
    const head = `POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: ${owner().authorization}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
    const answer = await exchange(head + ' '.repeat(length))
    expect(statusOf(answer)).toBe(413)
    expect(answer.toLowerCase()).not.toContain('connection: close')
  })

  test('that comes in chunks is a 413 once it is over the limit', async () => {
    const chunk = `400\r\n${' '.repeat(1024)}\r\n`
    const head = `POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: ${owner().authorization}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    expect(statusOf(await exchange(head + chunk.repeat(3)))).toBe(413)
  })

  test.each([
    ['text/plain', '{"name":"x"}'],
    ['application/x-www-form-urlencoded', 'name=x'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/jsonp', '{"name":"x"}'],
    ['', '{"name":"x"}'],
    ['json', '{"name":"x"}'],
  ])('declared as %j is a 415', async (type, payload) => {
    const refused = await createTask(payload, { 'content-type': type })
    expect([refused.statusCode, refused.json().code]).toEqual([415, 'unsupported_media_type'])
  })

  test.each(['gzip', 'GZIP, br', 'x'])(
    'in the coding %s is a 415 that says so, not JSON that is broken',
    async (coding) => {
      const refused = await createTask(gzipSync('{"name":"x"}'), { ...json, 'content-encoding': coding })
      expect([refused.statusCode, refused.json().code]).toEqual([415, 'unsupported_media_type'])
      expect(refused.json().detail).toContain('Content-Encoding')
      expect((await createTask('{"name":"x"}', { ...json, 'content-encoding': 'identity' })).statusCode).toBe(200)
    },
  )

  test('of another type is refused by its first bytes, or is no body without any; the connection stays open', async () => {
    const head = `POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: ${owner().authorization}\r\nContent-Type: text/plain\r\n`
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
    for (const unfinished of [`${head}Content-Length: 5\r\n\r\n`, `${chunked}5\r\nhello\r\n`])
      expect(statusOf(await exchange(unfinished))).toBe(415)
    const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    for (const [whole, status] of [
      [`${head}Content-Length: 5\r\n\r\nhello`, 415],
      [`${chunked}5\r\nhello\r\n0\r\n\r\n`, 415],
      [`${chunked}0\r\n\r\n`, 422],
    ] as const) {
      const [first = '', second = ''] = (await exchange(whole + next, { answers: 2 })).split(/(?<=.)(?=HTTP\/1\.1 )/s)
      expect([statusOf(first), statusOf(second)]).toEqual([status, 200])
    }
  })

  test.each([
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/merge-patch+json',
    'application/json;odata=x',
  ])('declared as %j is JSON', async (type) => {
    expect((await createTask('{"name":"x"}', { 'content-type': type })).statusCode).toBe(200)
  })
})

describe('every answer', () => {
  test.each(['/healthz', '/api/v1/users/me', '/api/v1/no/such', '/api/v1/tasks/board?limit=x', '/api/v1/tasks/%'])(
    'carries security headers, its request id, and besides only what is about its body: %s',
    async (url) => {
      const { headers } = await send({ url })
      const {
        date,
        connection,
        'content-type': type,
        'content-length': length,
        'x-request-id': id,
        ...others
      } = headers
      expect([date, connection, type, length]).not.toContain(undefined)
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(others).toEqual({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'origin-agent-cluster': '?1',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-dns-prefetch-control': 'off',
        'x-download-options': 'noopen',
        'x-frame-options': 'SAMEORIGIN',
        'x-permitted-cross-domain-policies': 'none',
        'x-xss-protection': '0',
      })
    },
  )

  test('insists on HTTPS where the public address has it', async () => {
    const https = await appWith({ PUBLIC_URL: 'https://atelier.example' })
    const { headers } = await send({ url: '/healthz' }, https)
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
    await https.stop()
  })

  test('repeats a request id that is one, and no other', async () => {
    const idOf = async (given: string) =>
      (await send({ url: '/healthz', headers: { 'x-request-id': given } })).headers['x-request-id']
    expect(await idOf('trace-1_2.3')).toBe('trace-1_2.3')
    for (const given of ['a b', 'x'.repeat(65), '{"a":1}', '<script>', '']) expect(await idOf(given)).not.toBe(given)
  })
})

describe('a path', () => {
  test('that is none of ours is a 404 for every method', async () => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'QUERY'] as const) {
      const refused = await send({ method, url: '/api/v1/nothing' })
      expect([refused.statusCode, refused.json().code]).toEqual([404, 'route_not_found'])
    }
  })

  test.each([
    ['DELETE', '/api/v1/products', 'GET, HEAD, POST'],
    ['POST', '/api/v1/tasks/01a1fbd7-0f7c-7172-8340-0deeab669cc3', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/api/v1/tasks', 'POST'],
    ['OPTIONS', '/api/v1/tasks', 'POST'],
    ['PUT', '/api/v1/tasks/deleted', 'GET, HEAD'],
    ['PUT', '/api/v1/tasks/deleted?limit=1', 'GET, HEAD'],
    ['PATCH', '/api/v1/tasks/bulk', 'POST'],
    ['DELETE', '/api/v1/tasks/deleted', 'GET, HEAD'],
    ['GET', '/webhooks/identity-provider', 'POST'],
    ['PUT', '/healthz', 'GET, HEAD'],
    ['DELETE', '/openapi.json', 'GET, HEAD'],
    ['POST', '/session', 'DELETE, GET, HEAD'],
    ['POST', '/docs', 'GET, HEAD'],
    ['POST', '/sign-in/callback', 'GET'],
    ['QUERY', '/api/v1/tasks/board', 'GET, HEAD'],
  ] as const)('taken with another method is a 405 that names those it takes: %s %s', async (method, url, allow) => {
    const refused = await send({ method, url })
    expect([refused.statusCode, refused.json().code]).toEqual([405, 'method_not_allowed'])
    expect(refused.headers.allow).toBe(allow)
  })

  test('answers HEAD as it answers GET, without the body', async () => {
    const { id } = (await createTask('{"name":"Headed"}')).json().data
    for (const url of [`/api/v1/tasks/${id}`, '/api/v1/tasks/board?limit=1', '/healthz']) {
      const [got, headed] = [await send({ url }), await send({ method: 'HEAD', url })]
      expect([headed.statusCode, headed.payload]).toEqual([200, ''])
      expect(headed.headers['content-length']).toBe(got.headers['content-length'])
      expect(headed.headers.etag).toBe(got.headers.etag)
    }
  })

  test('names HEAD among its methods exactly where it answers HEAD: a HEAD for a sign-in that comes back would sign in', async () => {
    const answering: Record<string, boolean> = {}
    for (const { path: url } of Object.values(outsideRoutes)) {
      const { headers } = await send({ method: 'PUT', url })
      answering[url] = (await send({ method: 'HEAD', url })).statusCode !== 405
      expect([url, String(headers.allow).includes('HEAD')]).toEqual([url, answering[url]])
    }
    expect(answering).toMatchObject({
      '/sign-in': true,
      '/sign-in/callback': false,
      '/healthz': true,
      '/session/token': false,
    })
  })

  test.each([
    ['//api/v1/tasks/board', 404],
    ['/api/v1//tasks/board', 404],
    ['/api/v1/tasks/board/', 404],
    ['/API/v1/tasks/board', 404],
    ['/api/v1/tasks/%00', 422],
    ['/api/v1/tasks/%ff', 422],
    ['/api/v1/tasks/%', 422],
    ['/api/v1/tasks/%2e%2e%2f', 404],
    ['/api/v1/../../etc/passwd', 404],
    [`/api/v1/tasks/${'x'.repeat(600)}`, 404],
    [`/api/v1/files/${'x'.repeat(600)}`, 404],
    ['/api/v1/tasks/board;x=1', 404],
    ['/api/v1/tasks/constructor', 404],
    ['/__proto__', 404],
    ['/?', 302],
  ])('%s is a %i', async (url, status) => {
    const answer = await send({ url })
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('over a socket', () => {
  const board = '/api/v1/tasks/board?limit=1'
  const request = (line: string, ...headers: string[]) => [line, ...headers, '', ''].join('\r\n')
  const host = 'Host: atelier.example'
  const auth = () => `Authorization: ${owner().authorization}`

  test('an address may be absolute, as proxies send it', async () => {
    expect(statusOf(await exchange(request(`GET http://atelier.example${board} HTTP/1.1`, host, auth())))).toBe(200)
  })

  test('headers that are too long are a 431', async () => {
    const answer = await exchange(request(`GET ${board} HTTP/1.1`, host, `X-Long: ${'x'.repeat(70_000)}`))
    expect(statusOf(answer)).toBe(431)
    expect(answer).toContain('content-type: application/problem+json')
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status: 431, code: 'headers_too_large' })
  })

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex')],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['a space in a header name', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n'],
    ['a control character in a header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: \u0001\r\n\r\n'],
    ['a Content-Length that is no number', 'POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n'],
    ['a negative Content-Length', 'POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    [
      'two Content-Lengths',
      'POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'Content-Length beside chunks',
      'POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['an unknown transfer coding', 'POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n'],
    ['a chunk size that is none', 'POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n'],
    ['bare line feeds', 'GET /healthz HTTP/1.1\nHost: x\n\n'],
  ])('%s is a 400, and the connection ends', async (_what, bytes) => {
    const answer = await exchange(bytes)
    expect(statusOf(answer)).toBe(400)
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1) // a request that is smuggled behind the bad one gets no response
    expect(await alive()).toBe(200)
  })

  test('a tunnel, an upgrade and a trace are not for us', async () => {
    expect(await exchange(request('CONNECT atelier.example:443 HTTP/1.1', host))).toBe('')
    expect(statusOf(await exchange(request('TRACE /healthz HTTP/1.1', host)))).toBe(405)
    const upgrade = await exchange(request('GET /healthz HTTP/1.1', host, 'Connection: Upgrade', 'Upgrade: websocket'))
    expect(statusOf(upgrade)).toBe(200)
  })

  test('a body that ends early has no effect', async () => {
    const head = request(
      'POST /api/v1/tasks HTTP/1.1',
      host,
      auth(),
      'Content-Type: application/json',
      'Content-Length: 50',
    )
    await exchange(`${head}{"name":"Broken off"}`, { before: alive })
    expect(await service.rows(`select 1 from tasks where name = 'Broken off'`)).toEqual([])
    expect(await alive()).toBe(200)
  })

  test('requests sent at once are answered in turn', async () => {
    const [bad, good] = [request(`GET ${board} HTTP/1.1`, host), request('GET /healthz HTTP/1.1', host)]
    const answer = await exchange(bad + good, { answers: 2 })
    expect([...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual(['401', '200'])
  })

  test('no bytes whatsoever end the process or are a 500', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'GET ',
        'POST ',
        '/api/v1/tasks',
        ' HTTP/1.1',
        '\r\n',
        '\r\n\r\n',
        'Host: x\r\n',
        'Content-Length: 5\r\n',
      ),
      fc.constantFrom(
        'Transfer-Encoding: chunked\r\n',
        'Content-Type: application/json\r\n',
        'Expect: 100-continue\r\n',
        '0\r\n\r\n',
        '{"name":',
      ),
      fc.constant(`${auth()}\r\n`),
      fc.uint8Array({ maxLength: 20 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const bytes = Buffer.concat(pieces.map((it) => Buffer.from(it)))
        expect(await exchange(bytes, { before: alive })).not.toMatch(/^HTTP\/1\.1 5/m)
      }),
      { numRuns: 150, seed: 20_261_121 },
    )
    expect(await alive()).toBe(200)
  })
})

describe('the log', () => {
  test('has a line for each request, with the id the caller was told', async () => {
    const { headers } = await createTask('{"name":"Logged"}')
    const line = logged.find(({ request_id }) => request_id === headers['x-request-id'])
    expect(line).toMatchObject({
      method: 'POST',
      path: '/api/v1/tasks',
      status: 200,
      msg: 'request',
      ms: expect.any(Number),
    })
    expect(line).toMatchObject({ token_id: expect.any(String), user_id: service.owner.id })
  })

  test('names in its lines who acts, also by a session, which has no token', async () => {
    const link = await service.post('/api/v1/sign-in-links', {})
    const browser = openBrowser(app.server)
    await browser.follow(link.data.url.replace(/^http:\/\/[^/]+/, ''))
    const authorization = `Bearer ${await browser.token()}`
    const { headers } = await createTask('{"name":"By a session"}', { ...json, authorization })
    const line = logged.find(({ request_id }) => request_id === headers['x-request-id'])
    expect(line).toMatchObject({ status: 200, user_id: service.owner.id })
    expect(line).not.toHaveProperty('token_id')
  })

  test('has a line also for bytes that are no whole request', async () => {
    const long = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`
    for (const [bytes, status] of [
      [long, 431],
      ['hello\r\n\r\n', 400],
    ] as const) {
      const id = /\r\nx-request-id: ([0-9a-f-]{36})\r\n/.exec(await exchange(bytes))?.[1]
      expect(id).toBeDefined()
      expect(logged.find(({ request_id }) => request_id === id)).toMatchObject({ status })
    }
  })

  test('of a bug has its stack under the id that the answer names', async () => {
    await service.rows('alter table products rename to products_away')
    const { statusCode, headers, payload } = await send({ url: '/api/v1/products' })
    await service.rows('alter table products_away rename to products')
    expect(statusCode).toBe(500)
    expect(payload).toContain(String(headers['x-request-id']))
    expect(payload).not.toMatch(/products_away|relation|select/i)
    const line = logged.find(({ request_id, err }) => request_id === headers['x-request-id'] && err)
    expect(line).toMatchObject({ err: { stack: expect.stringContaining('relation') } })
  })

  test('holds no token, no query and no body', async () => {
    await send({ url: '/api/v1/tasks/board?search=nobody-should-read-this' })
    await createTask('{"name":"nor-this","nope":1}')
    await send({
      url: '/api/v1/users/me',
      headers: { authorization: 'Bearer atl_not-even-this', cookie: 'a=not-this-cookie' },
    })
    const { token } = (
      await send({ method: 'POST', url: '/api/v1/tokens', payload: '{"name":"x","scopes":["read"]}', headers: json })
    ).json().data
    expect(token).toMatch(/^atl_/)
    for (const secret of [
      service.owner.token,
      token,
      'nobody-should-read-this',
      'nor-this',
      'not-even-this',
      'not-this-cookie',
    ]) {
      expect(loggedText).not.toContain(secret)
    }
  })
})
