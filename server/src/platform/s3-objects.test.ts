// Facts about the time that a store in a bucket has: a body may take long to send, an answer may not take long to begin. A local
// server plays the store; on a real one there are the tests of server/test/s3.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { s3Objects } from './s3-objects.ts'

const before = { ...process.env }
let folder: string
let answers: (asked: IncomingMessage, answer: ServerResponse) => void
const server = createServer((asked, answer) => answers(asked.resume(), answer))
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-objects-'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  Object.assign(process.env, { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`, AWS_REGION: 'eu-1' })
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' })
})
// The time limits of the AWS library are timers of the process; the connections of Node.js have timers of their own.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

async function fileOf(bytes: Buffer) {
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  return { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Answers all requests at once, except those with a body: these after so many milliseconds of the process's clock. */
function answerBodiesAfter(ms: number): void {
  answers = async (asked, answer) => {
    if (asked.method === 'PUT') await vi.advanceTimersByTimeAsync(ms)
    const [, query] = asked.url?.split('?') ?? []
    if (query?.startsWith('uploads')) answer.end('<a><UploadId>one</UploadId></a>')
    else if (asked.method === 'POST') answer.end('<a><ETag>"whole"</ETag></a>')
    else answer.setHeader('etag', '"part"').end()
  }
}

test('a store may take minutes to receive a file, whole or in parts', async () => {
  const objects = s3Objects({ bucket: 'files', prefix: '' }, true)
  answerBodiesAfter(500_000)
  const small = await fileOf(Buffer.alloc(1000, 'a'))
  await expect(objects.put('small', small, true)).resolves.toBeUndefined()
  answerBodiesAfter(250_000)
  const large = await fileOf(Buffer.alloc(17 * 1024 * 1024, 'b'))
  await expect(objects.put('large', large, true)).resolves.toBeUndefined()
})

test('one that does not answer a request without a body is given up after a minute', async () => {
  let asked = 0
  answers = async () => {
    asked += 1
    await vi.advanceTimersByTimeAsync(61_000)
  }
  await expect(s3Objects({ bucket: 'files', prefix: '' }, true).sizeOf('any')).rejects.toThrow('Files cannot be')
  expect(asked).toBeGreaterThan(0)
})
