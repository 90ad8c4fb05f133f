// Facts about how a process behind a proxy stops: what comes over the connections that the proxy has kept is answered, and closes them;
// new connections are refused at once, so that the proxy takes another process.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/harness.ts'

/** Starts a service that waits as long as it takes for the connections of its proxy, and opens one on which a request was answered. */
async function keptConnection(settings: Record<string, string>, leavingMs = 600_000) {
  const service = await startService(settings, undefined, [], { leavingMs })
  await service.app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.server.address() as AddressInfo // the cast is safe: it listens on a TCP port
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const ask = async (method: string, path: string, body = ''): Promise<string> => {
    const head = [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${service.owner.token}`]
    socket.write([...head, 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body].join('\r\n'))
    const [answer] = await once(socket, 'data')
    return String(answer)
  }
  expect(await ask('GET', '/healthz')).toMatch(/^HTTP\/1\.1 200 .*connection: keep-alive/is)
  return { service, socket, ask, port }
}

const isRefused = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })

test('a write over a kept connection is done while the process stops, and is the last one over it', async () => {
  const { service, socket, ask, port } = await keptConnection({ ATELIER_TRUSTED_PROXIES: '127.0.0.1' })
  const stopping = service.close()
  await eventually(async () => expect(await isRefused(port)).toBe(true))
  const answer = await ask('POST', '/api/v1/tasks', '{"name":"At the last moment"}')
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*connection: close/is)
  expect(answer).toContain('At the last moment')
  await once(socket, 'close')
  await stopping
})

test('connections that are not used are closed in the end', async () => {
  const { service, socket, port } = await keptConnection({ ATELIER_TRUSTED_PROXIES: '127.0.0.1' }, 1)
  const closed = once(socket, 'close')
  await service.close()
  await closed
  expect(await isRefused(port)).toBe(true)
})

test('without a proxy, connections that are not used are closed at once', async () => {
  const { service, socket } = await keptConnection({})
  const closed = once(socket, 'close')
  await service.close()
  await expect(closed).resolves.toBeDefined()
})
