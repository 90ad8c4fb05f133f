// Facts about requests that Node.js would answer by itself, and about when a client that waits is told to send its body.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config.ts'
import { startWatchServer } from '../../src/platform/http/watch-server.ts'
import { createLog } from '../../src/platform/log.ts'
import { type App, createApp } from '../../src/wiring/app.ts'
import { type Service, shared, startService } from '../support/harness.ts'

let service: Service
let app: App
let port: number
const logged: Record<string, unknown>[] = []
beforeAll(async () => {
  service = await startService()
  const config = readConfig({ ATELIER_BODY_LIMIT: '2048', ATELIER_FILE_LIMIT: '4096' })
  const log = createLog('info', { write: (line) => void logged.push(JSON.parse(line)) })
  app = await createApp({ config, database: shared(service.database), log, clock: service.clock })
  port = Number(new URL(await app.server.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(async () => {
  await app.stop()
  await service.close()
})

/** Sends the head of a request, and `body` once the service asks for it. Returns all that came until an answer was whole. */
async function exchange(lines: readonly string[], body = '', to = port): Promise<string> {
  const socket = connect(to, '127.0.0.1')
  socket.on('error', () => undefined) // the answer has been read by then
  let heard = ''
  const answered = new Promise<void>((resolve) => {
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (heard === '' && text.startsWith('HTTP/1.1 100 ')) socket.write(body)
      heard += text
      const [, head, rest] = /HTTP\/1\.1 [2-5]\d\d ((?:.|\r\n(?!\r\n))*)\r\n\r\n((?:.|\n)*)/.exec(heard) ?? []
      const length = /content-length: (\d+)/i.exec(head ?? '')?.[1]
      if (rest !== undefined && rest.length >= Number(length ?? 0)) resolve()
    })
    socket.on('close', () => resolve())
  })
  await once(socket, 'connect')
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await answered
  socket.destroy()
  return heard
}
const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
const problemOf = (answer: string) => JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n')))

test.each([
  ['no Host', ['GET /healthz HTTP/1.1'], 400, 'malformed_request'],
  ['two Hosts', ['GET /healthz HTTP/1.1', 'Host: a', 'Host: b'], 400, 'malformed_request'],
  ['no Host, for what no route takes', ['GET /nothing HTTP/1.1'], 400, 'malformed_request'],
  ['an Expect that is not known', ['GET /healthz HTTP/1.1', 'Host: x', 'Expect: foo'], 417, 'expectation_failed'],
  ['headers too large', ['GET / HTTP/1.1', 'Host: x', `X-Long: ${'x'.repeat(70_000)}`], 431, 'headers_too_large'],
  ['no request line', ['hello'], 400, 'malformed_request'],
] as const)(
  '%s: a problem, with the headers of the service, an id, and a line in the log',
  async (_what, lines, status, code) => {
    const answer = await exchange(lines)
    expect([statuses(answer), problemOf(answer)]).toMatchObject([[status], { status, code }])
    expect(answer).toContain('content-type: application/problem+json')
    expect(answer).toContain('x-content-type-options: nosniff')
    const id = /x-request-id: ([0-9a-f-]{36})\r\n/.exec(answer)?.[1]
    expect(logged.find(({ request_id }) => request_id === id)).toMatchObject({ status })
  },
)

test.each([
  ['no Host', ['GET /healthz HTTP/1.1'], 400, 'malformed_request'],
  ['two Hosts', ['GET /healthz HTTP/1.1', 'Host: a', 'Host: b'], 400, 'malformed_request'],
  ['an Expect that is not known', ['GET /healthz HTTP/1.1', 'Host: x', 'Expect: foo'], 417, 'expectation_failed'],
] as const)(
  '%s, at the port for monitoring: a problem as at the port of the API',
  async (_what, lines, status, code) => {
    const watching = await startWatchServer({
      log: createLog('silent'),
      config: { metricsHost: '127.0.0.1', metricsPort: 0, metricsToken: null },
      database: service.database,
      metrics: { text: async () => '', contentType: 'text/plain' },
      draining: () => false,
    })
    if (!watching) throw new Error('The port is in the settings.')
    try {
      const answer = await exchange(lines, '', watching.port)
      expect([statuses(answer), problemOf(answer)]).toMatchObject([[status], { status, code }])
      expect(answer).toContain('content-type: application/problem+json')
      expect(/connection: close/i.test(answer)).toBe(status === 400)
      expect(statuses(await exchange(['GET /healthz HTTP/1.1', 'Host: x'], '', watching.port))).toEqual([200])
      expect(statuses(await exchange(['GET /healthz HTTP/1.0'], '', watching.port))).toEqual([200])
    } finally {
      watching.close()
    }
  },
)

test('HTTP/1.0 needs no Host', async () => {
  expect(statuses(await exchange(['GET /healthz HTTP/1.0']))).toEqual([200])
})

const waiting = (path: string, length: number, more: readonly string[] = []) => [
  `POST ${path} HTTP/1.1`,
  'Host: x',
  'Expect: 100-continue',
  `Content-Length: ${length}`,
  ...more,
]
const json = 'Content-Type: application/json'
const known = () => `Authorization: Bearer ${service.owner.token}`

test('a body that fits is asked for', async () => {
  const body = '{"name":"Asked for"}'
  expect(statuses(await exchange(waiting('/api/v1/tasks', body.length, [json, known()]), body))).toEqual([100, 200])
  const file = waiting('/api/v1/files', 4096, ['Content-Type: text/plain', known()])
  expect(statuses(await exchange(file, 'x'.repeat(4096)))).toEqual([100, 200])
})

test('a body that is declared longer than its route takes is a 413 at once, and the connection ends', async () => {
  for (const [answer, limit] of [
    [await exchange(waiting('/api/v1/tasks', 2049, [json, known()])), 2048],
    [await exchange(waiting('/api/v1/files', 4097, ['Content-Type: text/plain', known()])), 4096],
  ] as const) {
    expect([statuses(answer), problemOf(answer)]).toMatchObject([[413], { limit }])
    expect(answer.toLowerCase()).toContain('connection: close')
  }
})

test('who has no token is refused without being asked for the body', async () => {
  expect(statuses(await exchange(waiting('/api/v1/tasks', 10, [json])))).toEqual([401])
})

test('where no route is, the body is asked for, and then it is a 404', async () => {
  expect(statuses(await exchange(waiting('/api/v1/nothing', 2, [json, known()]), '{}'))).toEqual([100, 404])
})
