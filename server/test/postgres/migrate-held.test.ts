// Facts about a migration while another transaction, such as that of a backup, uses the table that it changes.
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import type { Migration } from '../../src/platform/migration-files.ts'
import { OperatorError } from '../../src/platform/operator-error.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { createDatabase } from '../support/harness.ts'

let empty: Awaited<ReturnType<typeof createDatabase>>
let database: Database
let backup: pg.Client
let reader: pg.Client
beforeAll(async () => {
  empty = await createDatabase()
  database = openDatabase(
    postgresEngine(empty.url, { connections: 1, log: createLog('silent'), statementTimeoutMs: 0 }),
  )
  backup = new pg.Client({ connectionString: empty.url, application_name: 'pg_dump' })
  reader = new pg.Client({ connectionString: empty.url })
  await Promise.all([backup.connect(), reader.connect()])
})
afterAll(async () => {
  await Promise.all([backup.end(), reader.end(), database.close()])
  await empty.drop()
})

const made = (number: number, text: string): Migration => ({
  ...{ number, name: `made_${number}`, text, checksum: `of ${text}`, release: null, worksFrom: null },
})
const first = made(1, 'create table things (id integer)')
const second = made(2, 'create table others (id integer); alter table things add column more text')
const quick = { lockTimeoutMs: 100, pauseMs: 1 }

beforeEach(async () => {
  await reader.query('drop schema public cascade; create schema public')
  await migrate(database, [first])
  await backup.query('begin')
  await backup.query('select * from things')
})
afterEach(() => backup.query('rollback'))

test('it lets go of what it has, says who is in the way, and is applied once that is over', async () => {
  const seen: string[] = []
  const held = (by: string) => {
    seen.push(by)
    // Queries of the version before are served between two attempts, and while the backup goes on.
    void reader.query('select * from things').then(() => backup.query('commit'))
  }
  expect(await migrate(database, [first, second], undefined, { ...quick, pauseMs: 200, held })).toEqual([second])
  expect(seen[0]).toMatch(/^pg_dump of \S+ \(process \d+, since .* UTC\)$/)
})

test('it says who is in the way even where it may not see since when: that is another role', async () => {
  await backup.query('commit')
  const owner = `owner_${process.pid}`
  await reader.query(`create role ${owner} login password 'owner'; grant all on schema public to ${owner}`)
  onTestFinished(async () => {
    await reader.query(`drop owned by ${owner} cascade; drop role ${owner}`)
  })
  for (const table of ['things', 'schema_migrations']) await reader.query(`alter table ${table} owner to ${owner}`)
  await backup.query('begin; select * from things')
  const url = new URL(empty.url)
  Object.assign(url, { username: owner, password: 'owner' })
  const owned = openDatabase(postgresEngine(url.href, { connections: 1, log: createLog('silent') }))
  const failed = migrate(owned, [first, second], undefined, { ...quick, attempts: 1 })
  await expect(failed).rejects.toThrow(/use its tables: pg_dump of \S+ \(process \d+\)\. Nothing/)
  await owned.close()
})

test('it gives up in the end, with a sentence, and has changed nothing', async () => {
  const failed = migrate(database, [first, second], undefined, { ...quick, attempts: 2 })
  await expect(failed).rejects.toThrow(OperatorError)
  await expect(failed).rejects.toThrow(/other transactions use its tables: pg_dump of .*\. Nothing was changed\./)
  expect((await reader.query(`select to_regclass('others') as others`)).rows).toEqual([{ others: null }])
})
