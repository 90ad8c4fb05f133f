// Facts about how long a connection may be silent: longer while a request is being worked on than while a request or a response is on its way.
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { silentMs, workingMs } from '../../src/platform/http/silence.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'

let service: Service
let url: string
let task: Body
/** One connection, which is used again. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const sockets: Socket[] = []
beforeAll(async () => {
  service = await startService()
  task = await makers(service).task()
  service.app.server.server.on('connection', (socket: Socket) => void sockets.push(socket))
  url = await service.app.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => {
  agent.destroy()
  return service.close()
})
let open = (): void => undefined
afterEach(() => {
  open()
  vi.restoreAllMocks()
})

/** Sends a request; returns the status of the response. */
async function ask(method: string, path: string, body: string | Buffer | null, type = 'application/json') {
  const headers = { authorization: `Bearer ${service.owner.token}`, ...(body === null ? {} : { 'content-type': type }) }
  const asking = request(`${url}${path}`, { method, agent, headers })
  asking.end(body ?? undefined)
  const [answer]: IncomingMessage[] = await once(asking, 'response')
  await answer?.resume().toArray()
  return answer?.statusCode
}

/** Lets transactions wait until `open` is called; `begun`: how many do. */
function holdTransactions(): { begun: number } {
  const gate = Promise.withResolvers<void>()
  open = gate.resolve
  const held = { begun: 0 }
  const transact = service.database.tx.bind(service.database)
  vi.spyOn(service.database, 'tx').mockImplementation(async (work) => {
    held.begun++
    await gate.promise
    return transact(work)
  })
  return held
}

/** The limits of the only connection as responses begin. */
function limitsOfResponses(): (number | undefined)[] {
  const limits: (number | undefined)[] = []
  service.app.server.server.once('request', (_request, response) => {
    const { writeHead } = response
    vi.spyOn(response, 'writeHead').mockImplementation((...head: unknown[]) => {
      limits.push(response.socket?.timeout)
      return Reflect.apply(writeHead, response, head)
    })
  })
  return limits
}

const onlyLimit = (): number | undefined => {
  expect(sockets).toHaveLength(1)
  return sockets[0]?.timeout
}

test.each(['answered', 'refused'])(
  'while a request is worked on the limit is longer, and the usual one once it is %s',
  async (end) => {
    const limits = limitsOfResponses()
    const held = holdTransactions()
    const patch = end === 'answered' ? { priority: 4 } : { product_id: '01900000-0000-7000-8000-000000000000' }
    const asked = ask('PATCH', `/api/v1/tasks/${task.id}`, JSON.stringify(patch))
    await eventually(() => expect(held.begun).toBe(1))
    expect(onlyLimit()).toBe(workingMs)
    open()
    expect(await asked).toBe(end === 'answered' ? 200 : 422)
    expect(limits).toEqual([silentMs])
  },
)

test('the limit is longer while a store takes an upload that has arrived', async () => {
  const limits = limitsOfResponses()
  const held = holdTransactions()
  const asked = ask('POST', '/api/v1/files', Buffer.from('bytes'), 'text/plain')
  await eventually(() => expect(held.begun).toBe(1))
  expect(onlyLimit()).toBe(workingMs)
  open()
  expect(await asked).toBe(200)
  expect(limits).toEqual([silentMs])
})

test('the next request over the connection has the usual limit while it arrives', async () => {
  const headers = { authorization: `Bearer ${service.owner.token}`, 'content-type': 'application/json' }
  const arrived = once(service.app.server.server, 'request')
  const asking = request(`${url}/api/v1/tasks/${task.id}`, { method: 'PATCH', agent, headers })
  asking.write('{')
  await arrived
  expect(onlyLimit()).toBe(silentMs)
  asking.end('}')
  const [answer]: IncomingMessage[] = await once(asking, 'response')
  expect(answer?.statusCode).toBe(200)
  answer?.resume()
})
