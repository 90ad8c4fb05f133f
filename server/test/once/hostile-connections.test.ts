// Facts about hostile connections: slow ones, idle ones, endless ones, and bodies that grow when they are decompressed. Each
// hits its limit, and other clients are served meanwhile.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Service, startService } from '../support/harness.ts'
import { webhookSecret } from '../support/provider.ts'

let service: Service
let port: number
beforeAll(async () => {
  // The limits are shorter than the production ones, to keep the test short; the same code enforces them as in production.
  const pace = { freeMs: 600, everyMs: 100, bytesPerSecond: 16_384 }
  service = await startService({ ATELIER_WEBHOOK_SECRETS: webhookSecret }, undefined, [], { pace })
  const { server } = service.app.server
  server.headersTimeout = 300
  server.timeout = 900
  await service.app.server.listen({ host: '127.0.0.1', port: 0 })
  port = (server.address() as AddressInfo).port // the cast is safe: the server listens on a TCP port
})
afterAll(() => service.close())

const tasks = '/api/v1/tasks'

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Reads all that the service sends until the connection ends. After a reset the last bytes may be missing. */
async function said(socket: Socket): Promise<string> {
  let text = ''
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      text += chunk
    })
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

/** Requests the board, and returns the status. Retries, because a kept-alive connection may close just as `fetch` reuses it. */
const isServed = (): Promise<number> =>
  eventually(async () => {
    const headers = { authorization: `Bearer ${service.owner.token}` }
    return (await fetch(`http://127.0.0.1:${port}${tasks}/board`, { headers })).status
  })

/** Writes a piece again and again until the connection ends. */
async function pour(socket: Socket, piece: string): Promise<void> {
  const ended = new Promise((resolve) => socket.once('close', resolve))
  const drip = setInterval(() => socket.write(piece), 20)
  await ended
  clearInterval(drip)
}

test('headers and bodies that come drop by drop are ended, and make nothing', async () => {
  const board = async () => (await service.get(`${tasks}/board`)).text
  const before = await board()
  const [headers, body] = [await open(), await open()]
  headers.write('GET / HTTP/1.1\r\nHost: x\r\n')
  const head = [`POST ${tasks} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${service.owner.token}`]
  body.write([...head, 'Content-Type: application/json', 'Content-Length: 100000', '', '{"name":"'].join('\r\n'))
  const [first, second, status] = await Promise.all([
    said(headers),
    said(body),
    isServed(),
    pour(headers, 'X-More: x\r\n'),
    pour(body, 'x'),
  ])
  expect(first).toMatch(/^(?:HTTP\/1\.1 408 |$)/)
  expect(second).toMatch(/^(?:HTTP\/1\.1 408 |$)/)
  expect([status, await board()]).toEqual([200, before])
})

test('who has no token is refused before the body is read', async () => {
  const socket = await open()
  const head = [`POST ${tasks} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', 'Content-Length: 1000000']
  socket.write(`${head.join('\r\n')}\r\n\r\n{`)
  const [chunk] = await once(socket, 'data')
  expect(String(chunk)).toMatch(/^HTTP\/1\.1 401 /)
  socket.destroy()
})

test('headers without end are a 431', async () => {
  const socket = await open()
  socket.on('error', () => undefined)
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${'X-More: x\r\n'.repeat(20_000)}`)
  const [chunk] = await once(socket, 'data')
  expect(String(chunk)).toMatch(/^HTTP\/1\.1 431 /)
  socket.destroy()
})

const bomb = gzipSync(Buffer.alloc(200_000_000, ' '), { level: 1 })

test.for(['/api/v1/files', tasks])('a body that is packed by its transfer coding is refused: %s', async (path) => {
  const type = path === tasks ? 'application/json' : 'text/plain'
  const packed = gzipSync('{"name":"Packed"}').toString('latin1')
  const request =
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.owner.token}\r\nContent-Type: ${type}\r\n` +
    `Transfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n${packed.length.toString(16)}\r\n${packed}\r\n0\r\n\r\n`
  const socket = await open()
  socket.write(request, 'latin1')
  expect(await said(socket)).toMatch(/^HTTP\/1\.1 415 (?:.|\s)*no Transfer-Encoding but chunked/)
})

test.for(['gzip', 'deflate', 'br', 'zstd'])('a body packed with %s is refused, never unpacked', async (coding) => {
  for (const [path, type] of [
    [tasks, 'application/json'],
    ['/api/v1/files', 'text/plain'],
    ['/webhooks/identity-provider', 'application/json'],
  ] as const) {
    const before = process.memoryUsage().rss
    const { status } = await service.ask('POST', path, {
      raw: bomb,
      headers: { 'content-type': type, 'content-encoding': coding },
    })
    expect([path, status >= 400 && status < 500]).toEqual([path, true])
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  }
})

test('a thousand idle connections are ended in time, and hold nobody up', async () => {
  const ended: Promise<unknown>[] = []
  for (let count = 0; count < 1_000; count += 1) {
    const socket = connect(port, '127.0.0.1')
    // A refused connection counts as ended too.
    socket.on('error', () => undefined).resume()
    ended.push(new Promise((resolve) => socket.once('close', resolve)))
  }
  expect(await isServed()).toBe(200)
  await Promise.all(ended)
  expect(await isServed()).toBe(200)
})

test('the connection of an upload may be silent for ten minutes while the store takes the file, and then no longer than any other', async () => {
  const { files } = service.app.services
  const put = files.put
  let limit: number | undefined
  const storing = vi.spyOn(files, 'put').mockImplementation(async (source, mediaType) => {
    const stored = await put(source, mediaType)
    limit = accepted?.timeout
    return stored
  })
  const socket = connect(port, '127.0.0.1')
  const [accepted]: Socket[] = await once(service.app.server.server, 'connection')
  const head = ['POST /api/v1/files HTTP/1.1', 'Host: x', `Authorization: Bearer ${service.owner.token}`]
  socket.write([...head, 'Content-Type: text/plain', 'Content-Length: 4', '', 'text'].join('\r\n'))
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  expect(limit).toBe(600_000)
  expect(accepted?.timeout).toBeLessThan(600_000)
  storing.mockRestore()
  socket.destroy()
})

test('a stop does not wait for connections on which nothing was asked, or only half', async () => {
  const stopping = await startService()
  const { server } = stopping.app.server
  server.headersTimeout = 0
  const accepted: Socket[] = []
  server.on('connection', (socket) => accepted.push(socket))
  await stopping.app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port: own } = server.address() as AddressInfo // the cast is safe: the server listens on a TCP port
  const [silent, half, kept] = [connect(own, '127.0.0.1'), connect(own, '127.0.0.1'), connect(own, '127.0.0.1')]
  for (const socket of [silent, half, kept]) socket.on('error', () => undefined)
  half.write('GET / HTTP/1.1\r\nHost: x\r\n')
  kept.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(kept, 'data')
  await eventually(() => expect(accepted.filter(({ bytesRead }) => bytesRead > 0)).toHaveLength(2))
  expect(accepted).toHaveLength(3)
  await stopping.close()
})
