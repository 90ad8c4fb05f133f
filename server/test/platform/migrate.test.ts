// Facts about the schema: how migrations are split, applied and refused, and which schema they create.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { isMigrated, migrate, newerMigrations } from '../../src/platform/migrate.ts'
import { type Migration, readMigrations, statementsOf, worksFromOf } from '../../src/platform/migration-files.ts'
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
  // The embedded database allows one process only, so there both migrations use the same handle.
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
const made = (number: number, text: string, members: Partial<Migration> = {}): Migration => ({
  ...{ number, name: `made_${number}`, text, checksum: `of ${text}`, release: null, worksFrom: null },
  ...members,
})
const rows = (text: string) => rowsOf(database)(text)
const empty = async (): Promise<void> => {
  await rows('drop schema public cascade')
  await rows('create schema public')
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

  test('an index that was built before the upgrade is kept, and every other statement runs as it is written', async () => {
    const table = made(1, 'create table things (id integer, said text)')
    const text = `-- Of things; and more.
      create index things_id on things (id);
      /* once */ CREATE UNIQUE INDEX things_once on things (id);
      create index if not exists things_said on things (said);
      create index on things (said);
      insert into things (said) values ('create index things_other on things (id)')`
    await migrate(database, [table])
    await rows('create index things_id on things (id)')
    await rows(`comment on index things_id is 'built before'`)
    expect(await migrate(database, [table, made(2, text)])).toHaveLength(1)
    const found =
      await rows(`select indexrelid::regclass::text as name, obj_description(indexrelid) as said from pg_index
      where indrelid = 'things'::regclass order by 1`)
    expect(found).toEqual([
      { name: 'things_id', said: 'built before' },
      { name: 'things_once', said: null },
      { name: 'things_said', said: null },
      { name: 'things_said_idx', said: null },
    ])
    expect(await rows('select said from things')).toEqual([{ said: 'create index things_other on things (id)' }])
  })

  test.each([
    'create index things_kept on things (lower(said), id desc) where id > 1',
    'create index concurrently if not exists things_kept on public.things using btree (lower(said) , id DESC) where (id > 1)',
  ])('one that was built before by %j is kept', async (built) => {
    const table = made(1, 'create table things (id integer, said text collate "C")')
    await migrate(database, [table])
    await rows(built)
    const text = 'create index THINGS_kept\n on Things (lower(said), id desc)\n where id > 1'
    expect(await migrate(database, [table, made(2, text)])).toHaveLength(1)
    expect(await rows(`select to_regclass('atelier_index_probe') as probe`)).toEqual([{ probe: null }])
  })

  test.each([
    'create index things_kept on things (said)',
    'create index things_kept on things (id)',
    'create unique index things_kept on things (said) where id > 1',
    'create index things_kept on things (said) where id > 2',
    'create index things_kept on things (said desc) where id > 1',
    'create index things_kept on things using hash (said) where id > 1',
    'create index things_kept on others (said) where id > 1',
  ])(
    'one that was built before by %j instead is refused with both definitions, and nothing is changed',
    async (built) => {
      const tables = made(1, 'create table things (id integer, said text); create table others (id integer, said text)')
      await migrate(database, [tables])
      await rows(built)
      const text = 'create table more (id integer); create index things_kept on things (said) where id > 1'
      const migrations = [tables, made(2, text)]
      const refused = await migrate(database, migrations).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(OperatorError)
      expect(refused).toMatchObject({
        message: expect.stringMatching(
          /^There is an index things_kept [^:]+: CREATE [^;]+; [^:]+: CREATE INDEX things_kept ON public\.things USING btree \(said\) WHERE \(id > 1\)\. Drop/,
        ),
      })
      expect(await rows(`select to_regclass('more') as more`)).toEqual([{ more: null }])
      await rows('drop index things_kept')
      expect(await migrate(database, migrations)).toHaveLength(1)
    },
  )

  test('an index that was built before the upgrade and is not complete is refused, and nothing is changed', async () => {
    const table = made(1, 'create table things (id integer)')
    await migrate(database, [table])
    await rows('create index things_id on things (id)')
    await rows(`update pg_index set indisvalid = false where indexrelid = 'things_id'::regclass`)
    const migrations = [table, made(2, 'create table others (id integer); create index things_id on things (id)')]
    const refused = await migrate(database, migrations).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(OperatorError)
    expect(refused).toMatchObject({ message: expect.stringMatching(/^An index .* is not complete \(things_id\): /) })
    expect(await rows(`select to_regclass('others') as others`)).toEqual([{ others: null }])
    await rows('drop index things_id')
    expect(await migrate(database, migrations)).toHaveLength(1)
  })

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

  test('a table from before 0.2.0 gets its columns with the next migration, and the releases of those it has', async () => {
    const first = made(1, 'create table one (id integer)')
    await migrate(database, [first])
    await rows('alter table schema_migrations drop column release, drop column works_from')
    expect(await isMigrated(database.main, [first])).toBe(true)
    expect(await migrate(database, [first])).toEqual([])
    expect(await rows('select * from schema_migrations')).toEqual([expect.not.objectContaining({ release: null })])

    const released = [made(1, first.text, { release: '0.2.0' }), made(2, 'select 2', { worksFrom: '0.2.0' })]
    expect(await migrate(database, released)).toEqual(released.slice(1))
    expect(await rows('select number, release, works_from from schema_migrations order by 1')).toEqual([
      { number: 1, release: '0.2.0', works_from: null },
      { number: 2, release: null, works_from: '0.2.0' },
    ])
  })
})

describe('beside another version', () => {
  const mine = [made(1, 'create table one (id integer)', { release: '0.2.0' })]
  const withNext = (members: Partial<Migration>) => [...mine, made(2, 'create table two (id integer)', members)]
  const refusalOf = async (version: string) =>
    migrate(database, mine, version).then(
      () => null,
      (error: unknown) => (error instanceof OperatorError ? error.message : error),
    )
  beforeEach(empty)

  test('a newer schema that works with this version is taken as it is', async () => {
    await migrate(database, withNext({ release: '0.3.0', worksFrom: '0.2.0' }), '0.3.0')
    const before = await describeSchema(database)
    for (const version of ['0.2.0', '0.2.7', '0.3.0']) {
      expect(await migrate(database, mine, version)).toEqual([])
      expect(await isMigrated(database.main, mine, version)).toBe(true)
    }
    expect(await describeSchema(database)).toBe(before)
    expect(await newerMigrations(database.main, mine)).toEqual([
      { number: 2, name: 'made_2', checksum: expect.any(String), release: '0.3.0', works_from: '0.2.0' },
    ])
  })

  test('one that does not is refused, with the version to start; a process that runs already is not ready', async () => {
    await migrate(database, withNext({ release: '0.3.0', worksFrom: null }), '0.3.0')
    expect(await refusalOf('0.2.0')).toBe(
      'The database has migration 2 (made_2) of Atelier 0.3.0, and Atelier 0.2.0 cannot work with it. Start Atelier 0.3.0 ' +
        'or newer, or restore a backup from before the upgrade.',
    )
    expect(await isMigrated(database.main, mine, '0.2.0')).toBe(false)
  })

  test('one that is two versions newer is refused, with the oldest version that goes on', async () => {
    const later = [
      ...withNext({ release: '0.3.0', worksFrom: '0.2.0' }),
      made(3, 'select 3', { release: '0.4.0', worksFrom: '0.3.0' }),
      made(4, 'select 4', { release: '0.10.0', worksFrom: '0.9.0' }),
    ]
    await migrate(database, later.slice(0, 3), '0.4.0')
    expect(await refusalOf('0.2.0')).toMatch(
      /^The database has migration 3 \(made_3\) of Atelier 0\.4\.0, .+ Start Atelier 0\.3\.0 or newer, or /,
    )
    await migrate(database, later, '0.10.0')
    expect(await refusalOf('0.3.0')).toMatch(
      / 4 \(made_4\) of Atelier 0\.10\.0, .+ Start Atelier 0\.9\.0 or newer, or /,
    )
    expect(await refusalOf('0.2.0')).toMatch(
      / 3 \(made_3\) of Atelier 0\.10\.0, .+ Start Atelier 0\.9\.0 or newer, or /,
    )
  })

  test('one of a version that is not released says so, unless it works with this one', async () => {
    await migrate(database, withNext({ worksFrom: '0.2.0' }), '0.2.0')
    expect(await refusalOf('0.2.0')).toBe(null)
    await empty()
    await migrate(database, withNext({}), '0.2.0')
    expect(await refusalOf('0.2.0')).toMatch(/ of a version that is not released, .+ Start that version, or restore /)
    await migrate(database, [...withNext({}), made(3, 'select 3', { release: '0.3.0', worksFrom: null })], '0.3.0')
    expect(await refusalOf('0.2.0')).toMatch(/ 2 \(made_2\) of a version that is not released, .+ Start that version, /)
  })

  test('rows that an older version wrote say nothing of others, so it is refused where they are unknown', async () => {
    await migrate(database, withNext({}), '0.1.0')
    await rows('alter table schema_migrations drop column release, drop column works_from')
    expect(await refusalOf('0.2.0')).toMatch(
      /^The database has migration 2 \(made_2\) of a version that is not released, /,
    )
    expect(await isMigrated(database.main, mine, '0.2.0')).toBe(false)
  })

  test('other contents of a migration are refused, with the version that applied them', async () => {
    await migrate(database, mine, '0.2.0')
    const edited = [made(1, 'select 2', { release: '0.2.0' })]
    const refused = migrate(database, edited, '0.3.0')
    await expect(refused).rejects.toThrow(OperatorError)
    await expect(refused).rejects.toThrow(
      'Migration 1 (made_1) was applied with other contents than Atelier 0.3.0 has, by Atelier 0.2.0. Released migrations ' +
        'are never edited: install Atelier 0.3.0 again from its release, or start Atelier 0.2.0.',
    )
    await empty()
    await migrate(database, [made(1, 'select 1')], '0.1.0')
    await expect(migrate(database, edited, '0.3.0')).rejects.toThrow(
      'Migration 1 (made_1) was applied with other contents than Atelier 0.3.0 has, by a version that is not released. ' +
        'Only releases can be upgraded: start the version that made this database, or use a new database.',
    )
  })
})

describe('what a file says of older versions', () => {
  test.each([
    ['-- Adds a column.\n-- works with: 0.2.0\nselect 1;', '0.2.0'],
    ['-- works with: 10.20.30\n', '10.20.30'],
    ['-- works with: no older version\nselect 1;', null],
    ['-- Adds a column that works with old rows.\nselect 1;', undefined],
    ['select 1; -- works with: 0.2.0', undefined],
    ['select 1;\n-- works with: 0.2.0', undefined],
    ['', undefined],
  ])('%j', (text, said) => {
    expect(worksFromOf(text)).toBe(said)
  })

  test.each([
    '-- works with: 0.2\n',
    '-- works with: v0.2.0\n',
    '-- works with: 0.2.0 \n',
    '-- works with: 0.02.0\n',
    '--works with: 0.2.0\n',
    '-- Works with 0.2.0\n',
    '-- works with: nothing\n',
    '-- works with: 0.2.0\n-- works with: 0.3.0\n',
  ])('%j is a mistake', (text) => {
    expect(() => worksFromOf(text)).toThrow('write “-- works with: 0.2.0” or “-- works with: no older version”')
  })
})
