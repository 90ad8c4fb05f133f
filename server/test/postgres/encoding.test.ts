// Facts about PostgreSQL databases that are not in UTF-8: none is filled by a restore, and one that is in use is warned of.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { killChildren } from '../support/child.ts'
import { rowsOf, runCommand } from '../support/commands.ts'
import { createDatabase } from '../support/harness.ts'

type Created = Awaited<ReturnType<typeof createDatabase>>

let folder: string
let [migrated, other]: Created[] = []
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-encoding-'))
  await mkdir(path.join(folder, 'files'))
  migrated = await createDatabase(undefined, inject('postgresTemplate'))
  other = await createDatabase(undefined, "template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'")
})
afterEach(killChildren)
afterAll(async () => {
  await migrated?.drop()
  await other?.drop()
  await rm(folder, { recursive: true, force: true })
})

const command = (database: Created | undefined, ...args: string[]) => runCommand(folder, database, ...args)

test('a restore refuses an empty database in another encoding, and leaves it empty', async () => {
  const backups = path.join(folder, 'backups')
  expect(await command(migrated, 'backup', '--to', backups)).toMatchObject({ code: 0, error: '' })
  expect(await command(other, 'restore', '--from', backups)).toMatchObject({
    code: 1,
    error: expect.stringMatching(
      /^The database test_\w+ keeps texts in SQL_ASCII, .* createdb -E UTF8 -T template0\n$/,
    ),
  })
  expect(await rowsOf(other, "select tablename from pg_tables where schemaname = 'public'")).toEqual([])
})

test('a start on a database in another encoding that has our tables goes on, and warns', async () => {
  const quiet = await command(migrated, 'migrate')
  expect(quiet).toEqual({ code: 0, out: 'the schema is up to date\n', error: '' })
  // Only a restore by an earlier version makes such a database, so this one is made out of another by hand.
  await rowsOf(
    migrated,
    "update pg_database set encoding = pg_char_to_encoding('SQL_ASCII') where datname = current_database()",
  )
  const warned = await command(migrated, 'migrate')
  expect(warned).toMatchObject({ code: 0, error: '' })
  expect(warned.out).toMatch(
    /keeps texts in SQL_ASCII, not in UTF-8: .*createdb -E UTF8 -T template0.*\nthe schema is up to date\n$/,
  )
})
