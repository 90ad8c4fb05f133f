// Facts about the port on which a process that only executes runs can be monitored.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { killChildren, startChild } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { type Opened, openTestDatabase } from '../support/harness.ts'

const token = 'm'.repeat(40)
let opened: Opened
let folder: string
beforeAll(async () => {
  opened = await openTestDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-watched-'))
})
afterEach(killChildren)
afterAll(async () => {
  await opened.database.close()
  await opened.drop()
  await rm(folder, { recursive: true })
})

test('a worker says that it lives and is ready, and has figures of its own for who shows the token', async () => {
  const child = startChild('server/src/main.ts', ['work'], {
    ...{ DATABASE_URL: opened.url ?? '', ATELIER_DATA_DIR: folder },
    ...{ ATELIER_METRICS_PORT: '0', ATELIER_METRICS_TOKEN: token },
  })
  const [, port] = await child.printed(/Watched on port (\d+)/)
  const ask = async (where: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${where}`, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  expect(await ask('/healthz')).toMatchObject({ status: 200, text: expect.stringContaining('"version":') })
  expect(await ask('/readyz')).toEqual({ status: 200, text: '{"status":"ready"}' })
  expect(await ask('/metrics')).toMatchObject({ status: 401 })
  expect(await ask('/api/v1/tasks')).toMatchObject({ status: 404, text: expect.stringContaining('This port has') })
  const headers = { authorization: `Bearer ${token}` }
  await eventually(async () => expect((await ask('/metrics', headers)).text).toMatch(/^atelier_workers 1$/m))
  expect((await ask('/metrics', headers)).text).toMatch(/^process_resident_memory_bytes \d+/m)
})
