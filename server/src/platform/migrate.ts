// In charge of the schema: numbered SQL files, applied in order, once, by one process at a time.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { CompiledQuery, sql } from 'kysely'
import type { Database, Db } from './db.ts'
import { OperatorError } from './operator-error.ts'

export type Migration = { number: number; name: string; text: string; checksum: string }

const folder = new URL('../../migrations/', import.meta.url)

/** The migrations that ship with this version, in order. */
export function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      const [digits = '', ...words] = file.replace('.sql', '').split('_')
      return { number: Number(digits), name: words.join('_'), text, checksum: checksumOf(text) }
    })
}

const checksumOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Any number; every process that migrates takes the same. */
const advisoryLock = 7_203_411

/** Brings the schema up to this version; refuses one that a newer version has changed. Returns what was applied. */
export async function migrate(database: Database, migrations = readMigrations()): Promise<Migration[]> {
  return database.tx(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(tx)
    await sql`create table if not exists schema_migrations (
      number integer primary key, name text not null, checksum text not null,
      applied_at timestamptz(3) not null default clock_timestamp()
    )`.execute(tx)
    const applied = await tx.selectFrom('schema_migrations').select(['number', 'name', 'checksum']).execute()
    refuseForeign(applied, migrations)
    const pending = migrations.filter(({ number }) => !applied.some((row) => row.number === number))
    for (const migration of pending) await apply(tx, migration)
    return pending
  })
}

/** Whether every migration of this version has been applied: what readiness asks. */
export async function isMigrated(db: Db, migrations = readMigrations()): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('schema_migrations') is not null as there`.execute(
    db,
  )
  if (!rows[0]?.there) return false
  const applied = await db.selectFrom('schema_migrations').select('number').execute()
  return migrations.every(({ number }) => applied.some((row) => row.number === number))
}

function refuseForeign(applied: { number: number; name: string; checksum: string }[], known: Migration[]): void {
  for (const row of applied) {
    const mine = known.find(({ number }) => number === row.number)
    if (!mine) {
      throw new OperatorError(
        `The database has migration ${row.number} (${row.name}), which this version does not know: it was written by a ` +
          'newer version of Atelier. Start that version, or restore a backup from before the upgrade.',
      )
    }
    if (mine.checksum !== row.checksum) {
      throw new OperatorError(
        `Migration ${row.number} (${row.name}) was applied with other contents than this version has. Migrations are ` +
          'never edited once released: start the version that made this database, or use a new one.',
      )
    }
  }
}

async function apply(tx: Db, { number, name, text, checksum }: Migration): Promise<void> {
  for (const statement of statementsOf(text)) await tx.executeQuery(CompiledQuery.raw(statement))
  await tx.insertInto('schema_migrations').values({ number, name, checksum }).execute()
}

const comments = /--[^\n]*|\/\*[\s\S]*?\*\//g

/** A file's statements, cut at semicolons outside of quotes, dollar quotes and comments. */
export function statementsOf(text: string): string[] {
  const statements: string[] = []
  let from = 0
  const token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;/g
  for (const match of text.matchAll(token)) {
    if (match[0] !== ';') continue
    statements.push(text.slice(from, match.index))
    from = match.index + 1
  }
  const rest = text.slice(from)
  const isOver = rest.replaceAll(comments, '').trim() === ''
  return [...statements, ...(isOver ? [] : [rest])].map((statement) => statement.trim())
}
