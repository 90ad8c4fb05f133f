// Facts about a role with only the rights that the manual lists: it can serve a database that another role has migrated.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { missingRights, rightsProblem, rightsWarning } from '../../src/platform/postgres-fit.ts'
import { killChildren, startChild } from '../support/child.ts'
import { definitionOf } from '../support/definitions.ts'
import { createDatabase } from '../support/harness.ts'
import { startServing } from '../support/serving.ts'

const manual = readFileSync(path.resolve(import.meta.dirname, '../../../docs/deploying.md'), 'utf8')

let folder: string
let empty: Awaited<ReturnType<typeof createDatabase>>
let admin: pg.Client
const mark = randomBytes(6).toString('hex')
const [owner, serving] = [`owner_${mark}`, `serving_${mark}`]
const as = (role: string) => Object.assign(new URL(empty.url), { username: role, password: 'CHANGE-ME' }).href

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-rights-'))
  empty = await createDatabase()
  admin = new pg.Client(empty.url)
  await admin.connect()
  await admin.query(`create role ${owner} login password 'CHANGE-ME'`)
  await admin.query(`alter database ${new URL(empty.url).pathname.slice(1)} owner to ${owner}`)
})
afterEach(killChildren)
afterAll(async () => {
  await admin.end()
  await empty.drop()
  const cluster = new pg.Client(inject('postgresUrl'))
  await cluster.connect()
  await cluster.query(`drop role ${serving}, ${owner}`)
  await cluster.end()
  await rm(folder, { recursive: true, force: true })
})

/** The SQL statements from the manual, with the names of this test's roles and database. */
function statementsOfManual(): string {
  const [, text = ''] = /## The least rights in PostgreSQL.*?```sql\n(.*?)```/s.exec(manual) ?? []
  return text
    .replaceAll('atelier_serve', serving)
    .replaceAll('on database atelier ', `on database ${new URL(empty.url).pathname.slice(1)} `)
    .replaceAll('for role atelier ', `for role ${owner} `)
}

test('it creates, changes, deletes and reads tasks, and starts a run, on a schema it may not change', async () => {
  const migrating = startChild('server/src/main.ts', ['migrate'], {
    ...{ DATABASE_URL: as(owner), ATELIER_DATA_DIR: folder },
  })
  expect(await migrating.ended).toMatchObject({ code: 0 })
  await admin.query(statementsOfManual())
  const { ask, access: token } = await startServing({ DATABASE_URL: as(serving), ATELIER_DATA_DIR: folder })
  const api = '/api/v1'
  const done = async (method: string, at: string, body?: unknown) => {
    const answer = await ask(method, api + at, { token, body })
    expect([at, answer.status, answer.status < 300 ? null : answer.body]).toEqual([at, answer.status, null])
    return answer.body?.data
  }
  const { id } = await done('POST', '/tasks', { name: 'By a role of few rights' })
  await done('PATCH', `/tasks/${id}`, { notes: 'Changed' })
  expect(await done('GET', '/tasks/board?limit=1')).toMatchObject({ tasks: [{ id }], meta: { total: 1 } })
  await done('DELETE', `/tasks/${id}`)

  const definition = definitionOf({ text: { type: 'input.text', params: { value: 'A text' } } })
  const graph = await done('POST', '/graphs', { name: 'One node', definition })
  const run = await done('POST', `/graphs/${graph.id}/runs`)
  await done('POST', `/runs/${run.id}/start`)
  await expect.poll(async () => (await done('GET', `/runs/${run.id}`)).status).toBe('succeeded')

  await expect(
    admin.query(`set role ${serving}; alter table tasks add column more text`).finally(() => admin.query('reset role')),
  ).rejects.toThrow('must be owner')
})

test('a start names the tables that nobody has granted, and goes on if they are not of this version', async () => {
  const rights = async (role: string) => {
    const database = openDatabase(postgresEngine(as(role), { connections: 1, log: createLog('silent') }))
    return missingRights(database).finally(() => database.close())
  }
  expect(await rights(serving)).toBe(null)
  // The default privileges of the manual give the first table its rights, so these are taken away again.
  await admin.query(
    `set role ${owner}; create table added (id integer); revoke delete on added from ${serving}; reset role`,
  )
  const missing = await rights(serving)
  if (missing === null) throw new Error('No rights are missing.')
  expect(rightsWarning(missing)).toMatch(new RegExp(`^the role ${serving} may not read and write public\\.added: `))
  expect(rightsProblem(missing)).toBe(null)
  expect(await rights(owner)).toBe(null)
})

test.each([
  ['after an upgrade', 'revoke all on provider_keys from', 'public.provider_keys'],
  ['that only reads', 'revoke insert, update, delete on all tables in schema public, pgboss from', 'public.secrets'],
])(
  'a role %s is refused at the start with the tables and the statements that let it serve',
  async (_which, revoke, table) => {
    await admin.query(`${revoke} ${serving}`)
    const settings = { DATABASE_URL: as(serving), ATELIER_DATA_DIR: folder, ATELIER_DEMO: 'false', PORT: '0' }
    const refused = startChild('server/src/main.ts', ['serve'], settings)
    expect(await refused.ended).toMatchObject({ code: 1 })
    const [, tables, grants = ''] =
      /^The role \S+ may not read and write (.*), and Atelier does not start without that\. [^\n]*\n((?:grant [^\n]*;\n)+)$/.exec(
        refused.stderr(),
      ) ?? []
    expect(tables?.split(', ')).toContain(table)
    for (const grant of grants.trim().split('\n')) expect(statementsOfManual()).toContain(grant)
    await admin.query(grants)
    await startServing(settings)
  },
)
