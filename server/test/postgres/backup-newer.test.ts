// Facts about restoring a backup whose schema this version cannot work with: the database stays empty, or the error says it is not.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { killChildren } from '../support/child.ts'
import { rowsOf, runCommand } from '../support/commands.ts'
import { createDatabase } from '../support/harness.ts'

type Created = Awaited<ReturnType<typeof createDatabase>>

let folder: string
let [newer, empty]: Created[] = []
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-newer-backup-'))
  await mkdir(path.join(folder, 'files'))
  newer = await createDatabase(undefined, inject('postgresTemplate'))
  empty = await createDatabase()
  await rowsOf(
    newer,
    `insert into schema_migrations (number, name, checksum, release, works_from)
     values (9999, 'from_the_future', 'x', '99.1.0', '99.0.0')`,
  )
})
afterEach(killChildren)
afterAll(async () => {
  await newer?.drop()
  await empty?.drop()
  await rm(folder, { recursive: true, force: true })
})

const command = (database: Created | undefined, ...args: string[]) => runCommand(folder, database, ...args)

test('it is refused before the database is filled; one from before manifests had migrations says what to do afterwards', async () => {
  const backups = path.join(folder, 'backups')
  expect(await command(newer, 'backup', '--to', backups)).toMatchObject({ code: 0, error: '' })
  const refusal = 'The database has migration 9999 [^\\n]+ Start Atelier 99\\.0\\.0 or newer, or restore [^\\n]+\\n'
  const tables = "select tablename from pg_tables where schemaname = 'public'"
  expect(await command(empty, 'restore', '--from', backups)).toMatchObject({
    code: 1,
    error: expect.stringMatching(new RegExp(`^${refusal}$`)),
  })
  expect(await rowsOf(empty, tables)).toEqual([])

  const [name = ''] = await readdir(backups)
  const manifest = path.join(backups, name, 'manifest.json')
  const { migrations, ...older } = JSON.parse(await readFile(manifest, 'utf8'))
  expect(migrations.at(-1)).toMatchObject({ number: 9999, works_from: '99.0.0' })
  await writeFile(manifest, JSON.stringify(older))
  expect(await command(empty, 'restore', '--from', backups)).toMatchObject({
    code: 1,
    error: expect.stringMatching(
      new RegExp(
        `^${refusal}The database is filled now, [^\\n]+ \\(dropdb, createdb -E UTF8 -T template0\\) [^\\n]+\\n$`,
      ),
    ),
  })
  expect((await rowsOf(empty, tables)).length).toBeGreaterThan(0)
})
