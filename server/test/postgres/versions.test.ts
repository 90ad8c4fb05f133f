// Facts about the commands on a schema that was made by something else: a newer version, or a role that owns the tables.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { productVersion } from '../../src/platform/version.ts'
import { killChildren, startChild } from '../support/child.ts'
import { createDatabase } from '../support/harness.ts'
import { startServing } from '../support/serving.ts'

const newer = `insert into schema_migrations (number, name, checksum, release, works_from)
  values (9999, 'from_the_future', 'x', '99.1.0', '${productVersion}')`

let folder: string
let url: string
let drop: () => Promise<void>
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-versions-'))
  ;({ url, drop } = await createDatabase())
})
afterEach(killChildren)
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true, force: true })
})

const ended = async (args: string[], settings: Record<string, string>) => {
  const child = startChild('server/src/main.ts', args, { ATELIER_DATA_DIR: folder, ...settings })
  const { code } = await child.ended
  return { code, out: child.stdout(), error: child.stderr() }
}

async function told(text: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(text)
  await client.end()
}

test('a role that may only read and write rows serves what another has migrated', async () => {
  const { code } = await ended(['migrate'], { DATABASE_URL: url })
  expect(code).toBe(0)
  const server = new URL(url)
  server.username = `serving_${path.basename(server.pathname)}`
  server.password = 'of-the-tests'
  await told(`
    revoke create on schema public from public;
    create role ${server.username} login password '${server.password}';
    grant usage on schema public, pgboss to ${server.username};
    grant select, insert, update, delete on all tables in schema public, pgboss to ${server.username};
    grant usage, select on all sequences in schema public, pgboss to ${server.username};`)
  const serving = await startServing({ DATABASE_URL: server.href, ATELIER_DATA_DIR: folder })
  expect((await fetch(`${serving.url}/readyz`)).status).toBe(200)
  const created = await serving.ask('POST', '/api/v1/tasks', { token: serving.access, body: { name: 'Of a role' } })
  expect(created.status).toBe(200)
  serving.kill('SIGTERM')
  expect(await serving.ended).toEqual({ code: 0, signal: null })
  await told(`drop owned by ${server.username}; drop role ${server.username}`)
})

test('a newer schema that works with this version is served and left as it is', async () => {
  expect((await ended(['migrate'], { DATABASE_URL: url })).code).toBe(0)
  await told(newer)
  expect(await ended(['migrate'], { DATABASE_URL: url })).toEqual({
    code: 0,
    out: 'the schema is that of Atelier 99.1.0, which this version works with; it is left as it is\n',
    error: '',
  })
  const serving = await startServing({ DATABASE_URL: url, ATELIER_DATA_DIR: folder })
  expect((await fetch(`${serving.url}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${serving.url}/healthz`)).json()).toEqual({ status: 'ok', version: productVersion })
  expect(serving.stdout()).toContain(`"version":"${productVersion}","msg":"starting"`)
  // Once the schema no longer works with this version, a running process is not ready, so that a load balancer skips it.
  await told(`update schema_migrations set works_from = '99.0.0' where number = 9999`)
  expect((await fetch(`${serving.url}/readyz`)).status).toBe(503)
  serving.kill('SIGTERM')
  expect(await serving.ended).toEqual({ code: 0, signal: null })
  const commands = ['serve', 'work', 'migrate', 'seed']
  const refused = await Promise.all(commands.map((command) => ended([command], { DATABASE_URL: url })))
  for (const { code, error } of refused) {
    expect(error).toMatch(
      /^The database has migration 9999 [^\n]+ Start Atelier 99\.0\.0 or newer, or restore [^\n]+\n$/,
    )
    expect(code).toBe(1)
  }
})

test('`--version` says the version, of whatever command', async () => {
  for (const args of [['--version'], ['serve', '--version']]) {
    expect(await ended(args, {})).toEqual({ code: 0, out: `${productVersion}\n`, error: '' })
  }
})
