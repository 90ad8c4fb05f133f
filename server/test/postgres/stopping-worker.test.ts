// Facts about a worker process that is stopped while it waits for a response that never comes.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, inject, test } from 'vitest'
import { killChildren, startChild } from '../support/child.ts'
import { createDatabase } from '../support/harness.ts'
import { startServing } from '../support/serving.ts'
import { hangingThreads, neverRead, resizing, token } from '../support/stuck-files.ts'

const { url, drop } = await createDatabase(undefined, inject('postgresTemplate'))
const folder = await mkdtemp(path.join(tmpdir(), 'atelier-worker-'))
const settings = { ATELIER_DATA_DIR: folder, ATELIER_OWNER_TOKEN: token, DATABASE_URL: url }
afterEach(killChildren)
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true, force: true })
})

test('a worker whose file never comes ends within its bound', async () => {
  const serving = await startServing({ ...settings, ATELIER_WORK: 'false' })
  const worker = startChild('server/src/main.ts', ['work'], settings)
  await worker.printed(/Working on runs/)
  await resizing(serving, await neverRead(serving, settings, 'never read by a worker'))
  await hangingThreads(worker.pid, 1)
  worker.kill('SIGTERM')
  expect(await worker.ended).toEqual({ code: null, signal: 'SIGKILL' })
  serving.kill('SIGTERM')
  expect(await serving.ended).toEqual({ code: 0, signal: null })
})
