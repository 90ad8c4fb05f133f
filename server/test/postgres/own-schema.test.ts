// Facts about a PostgreSQL database whose tables are in another schema than `public`, as where a role has a schema of its own.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postgresTarget } from '../../src/platform/backup/targets.ts'
import { anyRows, sequencesOf } from '../../src/platform/copy.ts'
import { type Database, openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import type { Migration } from '../../src/platform/migration-files.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { rowsOf } from '../support/commands.ts'
import { createDatabase } from '../support/harness.ts'

let empty: Awaited<ReturnType<typeof createDatabase>>
let database: Database
beforeAll(async () => {
  empty = await createDatabase()
  const name = new URL(empty.url).pathname.slice(1)
  await rowsOf(empty, `create schema "Own"; alter database ${name} set search_path = "Own"`)
  database = openDatabase(postgresEngine(empty.url, { connections: 1, log: createLog('silent') }))
})
afterAll(async () => {
  await database.close()
  await empty.drop()
})

const made = (number: number, text: string): Migration => ({
  ...{ number, name: `made_${number}`, text, checksum: `of ${text}`, release: null, worksFrom: null },
})
const first = made(1, 'create table things (id integer, counted serial)')

test('a restore takes the tables of an extension for those of an empty database, and refuses others', async () => {
  await rowsOf(empty, 'create table "Own".extended (id integer); alter extension plpgsql add table "Own".extended')
  const target = await postgresTarget(empty.url)
  target.release()
  await rowsOf(empty, 'alter extension plpgsql drop table "Own".extended; drop table "Own".extended')

  await migrate(database, [first])
  await rowsOf(empty, 'drop table "Own".schema_migrations')
  // As an operator restores who is not the role that the service is: the tables are in no schema that is searched for names.
  const elsewhere = new URL(empty.url)
  elsewhere.searchParams.set('options', '-c search_path=public')
  await expect(postgresTarget(elsewhere.href)).rejects.toThrow('tables already (such as "Own".things): restore into an')
  await rowsOf(empty, 'drop table "Own".things')
})

test('a copy finds the tables and sequences there', async () => {
  await migrate(database, [first])
  expect(await anyRows(database)).toBe(null)
  await rowsOf(empty, 'insert into things values (1)')
  expect(await anyRows(database)).toBe('things')
  expect(await sequencesOf(database.main)).toEqual(['things_counted_seq'])
})

test('a migration looks there for an index that was built beforehand', async () => {
  await migrate(database, [first])
  const second = made(2, 'create index things_id on things (id)')
  await rowsOf(empty, 'create index things_id on things (counted)')
  await expect(migrate(database, [first, second])).rejects.toThrow(/^There is an index things_id already/)
  await rowsOf(
    empty,
    `drop index things_id; create index things_id on things (id);
     update pg_index set indisvalid = false where indexrelid = 'things_id'::regclass`,
  )
  await expect(migrate(database, [first, second])).rejects.toThrow(/is not complete \(things_id\)/)
})
