// In charge of the filled databases of released versions, which `npm run fixture` makes: each can be loaded into an empty database,
// where it gets the schema of its release.
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { CompiledQuery } from 'kysely'
import { addRows, setSequence } from '../../src/platform/copy.ts'
import { type Database, type Db, openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { readMigrations, statementsOf } from '../../src/platform/migration-files.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import type { Filled } from './filling/main.ts'
import { createDatabase, engine, type Opened, openTestDatabase, rowsOf } from './harness.ts'

const folder = path.resolve(import.meta.dirname, '../fixtures')

/** Returns the versions of which a filled database is stored. */
export const filledVersions = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.json.gz')).map((name) => name.replace('.json.gz', ''))

export const readFilled = async (version: string): Promise<Filled> =>
  JSON.parse(gunzipSync(await readFile(path.join(folder, `${version}.json.gz`))).toString())

/** Opens a database with the rows that the version of `filled` left, and writes that version's files into a new folder. */
export async function openFilled(filled: Filled): Promise<Opened & { files: string }> {
  const opened = await openEmpty()
  await opened.database.tx((tx) => load(tx, filled))
  const files = await mkdtemp(path.join(tmpdir(), 'atelier-files-'))
  for (const [name, bytes] of Object.entries(filled.files)) {
    await mkdir(path.dirname(path.join(files, name)), { recursive: true })
    await writeFile(path.join(files, name), Buffer.from(bytes, 'base64'))
  }
  return { ...opened, files }
}

/** Opens a database without tables of the product. An embedded one keeps the job queue's tables, which saves a second. */
async function openEmpty(): Promise<Opened> {
  if (engine === 'postgres') {
    const { url, drop } = await createDatabase()
    return { database: openDatabase(postgresEngine(url, { connections: 10, log: createLog('silent') })), url, drop }
  }
  const opened = await openTestDatabase()
  await empty(opened.database)
  return opened
}

async function empty(database: Database): Promise<void> {
  await rowsOf(database)('drop schema public cascade')
  await rowsOf(database)('create schema public')
}

async function load(tx: Db, { migrations, tables, sequences }: Filled): Promise<void> {
  const run = (text: string) => tx.executeQuery(CompiledQuery.raw(text))
  for (const { number, text } of readMigrations()) {
    if (!migrations.some((row) => row.number === number)) continue
    for (const statement of statementsOf(text)) await run(statement)
  }
  const columns = Object.keys(migrations[0] ?? {})
  const added = ['release', 'works_from'].filter((column) => columns.includes(column))
  await run(`create table schema_migrations (
    number integer primary key, name text not null, checksum text not null,
    applied_at timestamptz(3) not null default clock_timestamp()${added.map((column) => `, ${column} text`).join('')}
  )`)
  const rows = migrations.map((row) => JSON.stringify(row))
  await addRows(tx, { name: 'schema_migrations', columns }, rows)
  for (const { rows, ...table } of tables) await addRows(tx, table, rows)
  for (const { name, ...state } of sequences) await setSequence(tx, name, state)
}
