// Facts about runs while no worker process is alive: the processes that serve requests recover these runs.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { killChildren } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { createDatabase } from '../support/harness.ts'
import { type Serving, startServing } from '../support/serving.ts'

const token = 'the-owner-of-a-service-without-a-worker'
const { url, drop } = await createDatabase(undefined, inject('postgresTemplate'))
const folder = await mkdtemp(path.join(tmpdir(), 'atelier-no-worker-'))
const database = openDatabase(postgresEngine(url, { connections: 2, log: createLog('silent') }))
afterEach(killChildren)
afterAll(async () => {
  await database.close()
  await drop()
  await rm(folder, { recursive: true, force: true })
})

const definition = {
  schema: 1,
  nodes: { text: { type: 'input.text', version: 1, params: { value: 'a' }, inputs: {}, each: [] } },
  edges: [],
}

/** A run that a worker has claimed; the worker's last heartbeat was a minute ago. */
async function lostRun(serving: Serving, asked: Record<string, unknown>): Promise<string> {
  const graph = await serving.ask('POST', '/api/v1/graphs', { token, body: { name: 'left', definition } })
  const run = await serving.ask('POST', `/api/v1/graphs/${graph.body.data.id}/runs`, {
    token,
    body: { execute: true },
  })
  const { id } = run.body.data
  await database.main
    .updateTable('runs')
    .set({ status: 'running', worker: 'gone', started_at: longAgo, heartbeat_at: longAgo, ...asked })
    .where('id', '=', id)
    .execute()
  return id
}

const longAgo = new Date(Date.now() - 60_000).toISOString()

test('a cancel takes effect, and a lost run is queued again', async () => {
  const serving = await startServing({
    ATELIER_DATA_DIR: folder,
    ATELIER_OWNER_TOKEN: token,
    DATABASE_URL: url,
    ATELIER_WORK: 'false',
  })
  const cancelled = await lostRun(serving, { cancel_requested_at: longAgo })
  const lost = await lostRun(serving, {})
  const statusOf = async (id: string) => (await serving.ask('GET', `/api/v1/runs/${id}`, { token })).body.data.status
  await eventually(async () =>
    expect([await statusOf(cancelled), await statusOf(lost)]).toEqual(['cancelled', 'queued']),
  )
})
