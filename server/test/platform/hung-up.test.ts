// Facts about callers who close the connection during a request: only their request fails; it is no outage of the database.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { createApp } from '../../src/wiring/app.ts'
import { type Service, shared, startService } from '../support/harness.ts'

const lines: string[] = []
let service: Service
let app: Awaited<ReturnType<typeof createApp>>
beforeAll(async () => {
  service = await startService()
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  app = await createApp({ config: service.config, database: shared(service.database), log, clock: service.clock })
  await app.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.stop()
  await service.close()
})

test('a caller who hangs up while sending leaves the others alone, and is no bug of ours', async () => {
  const { port } = app.server.server.address() as AddressInfo // the cast is safe: the server listens on a TCP port
  const socket = connect(port, '127.0.0.1')
  const head = ['POST /webhooks/identity-provider HTTP/1.1', 'Host: x', 'Content-Type: application/json']
  socket.write(`${[...head, 'Content-Length: 500'].join('\r\n')}\r\n\r\n{"half":`)
  const [request]: IncomingMessage[] = await once(app.server.server, 'request')
  const closed = new Promise((resolve) => request?.once('close', resolve))
  socket.destroy()
  await closed
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/users/me`)
  expect(answer.status).toBe(401)
  expect(lines.join('')).not.toContain('the database is away')
  expect(lines.join('')).not.toContain('a bug')
})
