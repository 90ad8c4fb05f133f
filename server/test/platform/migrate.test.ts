// Facts about the schema: how migrations are cut, applied and refused, and what they make.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { isMigrated, type Migration, migrate, readMigrations, statementsOf } from '../../src/platform/migrate.ts'
import { OperatorError } from '../../src/platform/operator-error.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { openTestDatabase, rowsOf } from '../support/harness.ts'
import { describeSchema } from '../support/schema-text.ts'

let database: Database
let second: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const opened = await openTestDatabase()
  ;({ database, drop } = opened)
  // The embedded database takes one process only: there, both migrate through one handle.
  second = opened.url
    ? openDatabase(postgresEngine(opened.url, { connections: 2, log: createLog('silent') }))
    : opened.database
})
afterAll(async () => {
  await second.close()
  await database.close()
  await drop()
})

const shipped = readMigrations()
const made = (number: number, text: string): Migration => ({
  number,
  name: `made_${number}`,
  text,
  checksum: `of ${text}`,
})
const empty = async (): Promise<void> => {
  await rowsOf(database)('drop schema public cascade')
  await rowsOf(database)('create schema public')
}

test('migrations are numbered from 1 without a gap', () => {
  expect(shipped.map(({ number }) => number)).toEqual(shipped.map((_, index) => index + 1))
})

describe('a file', () => {
  test.each([
    ['select 1; select 2;', ['select 1', 'select 2']],
    ['select 1; select 2', ['select 1', 'select 2']],
    ["select ';', 'it''s; so' ; select \"a;b\"", ["select ';', 'it''s; so'", 'select "a;b"']],
    ['do $$ begin; end $$; select 1', ['do $$ begin; end $$', 'select 1']],
    ['do $body$ begin $$;$$; end $body$; select 1', ['do $body$ begin $$;$$; end $body$', 'select 1']],
    ['select 1 -- no; end\n; select 2', ['select 1 -- no; end', 'select 2']],
    ['select /* no; end */ 1; select 2', ['select /* no; end */ 1', 'select 2']],
    ["-- it's a comment\nselect 1;\n-- the end; really\n", ["-- it's a comment\nselect 1"]],
    ["select '-- ' , 1", ["select '-- ' , 1"]],
    ['/* only; */ -- comments', []],
    ['', []],
  ])('%j is cut at semicolons outside of quotes and comments', (text, statements) => {
    expect(statementsOf(text)).toEqual(statements)
  })
})

describe('on an empty database', () => {
  beforeEach(empty)

  test('all migrations are applied once, and a second time changes nothing', async () => {
    expect(await isMigrated(database.main)).toBe(false)
    expect(await migrate(database)).toEqual(shipped)
    const before = await describeSchema(database)
    expect(await migrate(database)).toEqual([])
    expect(await describeSchema(database)).toBe(before)
    expect(await isMigrated(database.main)).toBe(true)
  })

  test('what they make is what schema.txt says, on either database', async () => {
    await migrate(database)
    await expect(await describeSchema(database)).toMatchFileSnapshot('../../migrations/schema.txt')
  })

  test('two processes that start at once take turns: one applies them, the other finds them applied', async () => {
    const applied = await Promise.all([migrate(database), migrate(second)])
    expect(applied.map((migrations) => migrations.length).toSorted()).toEqual([0, shipped.length])
  })

  test('a migration that fails leaves nothing behind, nor do those before it', async () => {
    const broken = [made(1, 'create table one (id integer)'), made(2, 'create table two (id integer); select broken')]
    await expect(migrate(database, broken)).rejects.toThrow('broken')
    expect(await isMigrated(database.main, broken)).toBe(false)
    const fixed = broken.map(({ number, text }) => made(number, text.replace('; select broken', '')))
    expect(await migrate(database, fixed)).toHaveLength(2)
  })

  test('a new migration is applied alone', async () => {
    const first = made(1, 'create table one (id integer)')
    const next = made(2, 'create table two (id integer)')
    await migrate(database, [first])
    expect(await isMigrated(database.main, [first, next])).toBe(false)
    expect(await migrate(database, [first, next])).toEqual([next])
  })

  test('an edited migration is refused with a sentence', async () => {
    await migrate(database, [made(1, 'select 1')])
    const refused = migrate(database, [made(1, 'select 2')])
    await expect(refused).rejects.toThrow(OperatorError)
    await expect(refused).rejects.toThrow(
      'Migration 1 (made_1) was applied with other contents than this version has. Migrations are never edited once ' +
        'released: start the version that made this database, or use a new one.',
    )
  })

  test("a newer version's migration is refused with a sentence", async () => {
    await migrate(database, [made(1, 'select 1'), made(2, 'select 2')])
    const refused = migrate(database, [made(1, 'select 1')])
    await expect(refused).rejects.toThrow(OperatorError)
    await expect(refused).rejects.toThrow('The database has migration 2 (made_2), which this version does not know')
    // A process of the older version that runs already goes on: rolling upgrades need that.
    expect(await isMigrated(database.main, [made(1, 'select 1')])).toBe(true)
  })
})
