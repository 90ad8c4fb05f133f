// In charge of the schema of a database: applies each migration once, in order and in one process at a time, and decides whether
// this version can use the schema of a newer version.
//
// During an upgrade, two successive versions use one database at the same time. So a row of `schema_migrations` also stores what
// an older version must know of a migration that it does not contain: the release of the migration, and the oldest version that
// can use the new schema. An older version that can use it starts, leaves it unchanged, and uses the tables that it knows.

import { setTimeout as wait } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import { takeLock } from './advisory-locks.ts'
import { type Database, type Db, sqlState } from './db.ts'
import { type Migration, readMigrations, statementsOf } from './migration-files.ts'
import { OperatorError } from './operator-error.ts'
import { compareVersions, productVersion } from './version.ts'
import { checkedWithinMs, within } from './within.ts'

/** A migration that has been applied, as the database stores it. Null means the same as in the members of `Migration`. */
export type Applied = {
  number: number
  name: string
  checksum: string
  release: string | null
  works_from: string | null
}

/**
 * How to deal with transactions that use a table which a migration changes, such as those of a backup. All later queries on the table
 * wait behind a migration that waits for it. So a migration waits only `lockTimeoutMs`; then everything is rolled back and, after
 * `pauseMs`, tried again, at most `attempts` times in all. `held` is called with the other transactions before each pause.
 */
type Patience = { lockTimeoutMs?: number; pauseMs?: number; attempts?: number; held?: (by: string) => void }

/**
 * Applies the migrations that a database lacks, and returns them; throws if this version cannot work with the schema. If the
 * database lacks none, no table is created or changed; so a process that serves requests needs no right to change the schema.
 */
export async function migrate(
  database: Database,
  migrations = readMigrations(),
  version = productVersion,
  { lockTimeoutMs = 3_000, pauseMs = 5_000, attempts = 40, held = () => undefined }: Patience = {},
): Promise<Migration[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.tx((tx) => migrateOnce(tx, migrations, { version, lockTimeoutMs }))
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable) throw error
      const by = await holdersOf(database.main, lockTimeoutMs)
      if (attempt === attempts)
        throw new OperatorError(
          `The schema cannot be changed while other transactions use its tables: ${by}. Nothing was changed. Start again when they are over.`,
          { cause: error },
        )
      held(by)
      await wait(pauseMs)
    }
  }
}

/** The SQLSTATE of a statement that could not get a lock within `lock_timeout`. */
const lockNotAvailable = '55P03'

async function migrateOnce(
  tx: Db,
  migrations: Migration[],
  { version, lockTimeoutMs }: { version: string; lockTimeoutMs: number },
): Promise<Migration[]> {
  // Processes that start together wait here for the one that migrates. That may take long, and keeps no query waiting.
  await takeLock(tx, 'migration')
  const applied = await appliedTo(tx)
  refuseForeign(applied, migrations, version)
  const pending = migrations.filter(({ number }) => !applied.some((row) => row.number === number))
  const released = migrations.filter(
    ({ number, release }) => release !== null && applied.some((row) => row.number === number && row.release === null),
  )
  if (pending.length + released.length === 0) return []
  await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(tx)
  await makeTable(tx)
  for (const { number, release } of released) {
    await tx.updateTable('schema_migrations').set({ release }).where('number', '=', number).execute()
  }
  for (const migration of pending) await apply(tx, migration)
  await refuseBrokenIndexes(tx, pending)
  return pending
}

/**
 * Describes the transactions that have used tables of this database for at least `ms`, the oldest first. A wait that has timed out is
 * no longer in `pg_blocking_pids`; but whatever held a lock all that time is among these. PostgreSQL hides since when a transaction of
 * another role goes on, unless this role may see that; those are described without it.
 */
async function holdersOf(db: Db, ms: number): Promise<string> {
  const { rows } = await sql<{ words: string }>`
    select format('%s of %s (process %s%s)', coalesce(nullif(application_name, ''), 'a program'), usename, pid,
      to_char(xact_start at time zone 'UTC', '", since "YYYY-MM-DD HH24:MI:SS "UTC"')) as words
    from pg_stat_activity
    where pid <> pg_backend_pid()
      and coalesce(xact_start < clock_timestamp() - make_interval(secs => ${sql.lit(ms / 1000)}), true)
      and pid in (select pid from pg_locks where granted and locktype = 'relation'
        and database = (select oid from pg_database where datname = current_database()))
    order by xact_start limit 5`.execute(db)
  return rows.map(({ words }) => words).join(', ') || 'they are over already'
}

/**
 * Whether this version can work with the schema of the database; throws if the database does not answer soon. The readiness check
 * calls this.
 */
export async function isMigrated(db: Db, migrations = readMigrations(), version = productVersion): Promise<boolean> {
  const applied = await within(checkedWithinMs, appliedTo(db))
  const isThere = ({ number }: Migration) => applied.some((row) => row.number === number)
  return migrations.every(isThere) && unknownTo(migrations, applied).every((row) => worksWith(row, version))
}

/** Throws if this version cannot work with the schema; the message names a version that can work with it. */
export async function refuseUnknown(db: Db, migrations = readMigrations(), version = productVersion): Promise<void> {
  refuseForeign(await appliedTo(db), migrations, version)
}

/** Throws if this version cannot work with a schema that has these migrations; the message names a version that can. */
export const refuseSchema = (applied: Applied[]): void => refuseForeign(applied, readMigrations(), productVersion)

/** Returns the applied migrations that this version does not contain because they belong to newer versions. */
export async function newerMigrations(db: Db, migrations = readMigrations()): Promise<Applied[]> {
  return unknownTo(migrations, await appliedTo(db))
}

/** Returns the newest release among some migrations as text for messages. */
export function releaseOf(rows: readonly Applied[]): string {
  const newest = newestOf(rows.map(({ release }) => release))
  return newest === null ? 'a version that is not released' : `Atelier ${newest}`
}

/** Returns the newest version; null if the list is empty or contains null, which stands for a version that is not released yet. */
const newestOf = (versions: readonly (string | null)[]): string | null =>
  versions.toSorted((one, other) => (one && other ? compareVersions(other, one) : one === null ? -1 : 1))[0] ?? null

const unknownTo = (migrations: Migration[], applied: Applied[]): Applied[] =>
  applied.filter((row) => !migrations.some(({ number }) => number === row.number))

const worksWith = ({ works_from }: Applied, version: string): boolean =>
  works_from !== null && compareVersions(version, works_from) >= 0

function refuseForeign(applied: Applied[], known: Migration[], version: string): void {
  const refused = unknownTo(known, applied).filter((row) => !worksWith(row, version))
  const [first] = refused
  if (first) {
    const needed = newestOf(refused.map((row) => row.works_from ?? row.release))
    throw new OperatorError(
      `The database has migration ${first.number} (${first.name}) of ${releaseOf(refused)}, and Atelier ${version} cannot ` +
        `work with it. Start ${needed === null ? 'that version' : `Atelier ${needed} or newer`}, or restore a backup from ` +
        'before the upgrade.',
    )
  }
  for (const row of applied) {
    const mine = known.find(({ number }) => number === row.number)
    if (mine && mine.checksum !== row.checksum) throw otherContents(row, version)
  }
}

function otherContents({ number, name, release }: Applied, version: string): OperatorError {
  const said = `Migration ${number} (${name}) was applied with other contents than Atelier ${version} has`
  return new OperatorError(
    release === null
      ? `${said}, by a version that is not released. Only releases can be upgraded: start the version that made this ` +
          'database, or use a new database.'
      : `${said}, by Atelier ${release}. Released migrations are never edited: install Atelier ${version} again from its ` +
          `release, or start Atelier ${release}.`,
  )
}

/** Returns the applied migrations. Reads rows through JSON, in which a missing column is null: before version 0.2.0, `release` and `works_from` did not exist. */
export async function appliedTo(db: Db): Promise<Applied[]> {
  if ((await columnsOf(db)).length === 0) return []
  const { rows } = await sql<Applied>`
    select number, name, checksum, to_jsonb(m) ->> 'release' as release, to_jsonb(m) ->> 'works_from' as works_from
    from schema_migrations m order by number`.execute(db)
  return rows
}

/** Creates the table of migrations, or adds the columns that the table lacked before version 0.2.0. */
async function makeTable(tx: Db): Promise<void> {
  const columns = await columnsOf(tx)
  if (columns.length === 0) {
    await sql`create table schema_migrations (
      number integer primary key, name text not null, checksum text not null,
      applied_at timestamptz(3) not null default clock_timestamp(), release text, works_from text
    )`.execute(tx)
  } else if (!columns.includes('works_from')) {
    await sql`alter table schema_migrations add column release text, add column works_from text`.execute(tx)
  }
}

async function columnsOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = to_regclass('schema_migrations') and attnum > 0 and not attisdropped`.execute(db)
  return rows.map(({ name }) => name)
}

async function apply(tx: Db, { number, name, text, checksum, release, worksFrom }: Migration): Promise<void> {
  for (const statement of statementsOf(text)) {
    await refuseOtherIndex(tx, statement)
    await tx.executeQuery(CompiledQuery.raw(keepingIndex(statement)))
  }
  await tx.insertInto('schema_migrations').values({ number, name, checksum, release, works_from: worksFrom }).execute()
}

/** Matches the beginning of a statement that creates an index, after any comments; captures all before the name, name and table. */
const ofIndex =
  /^((?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*create\s+(?:unique\s+)?index\s+)(?:if\s+not\s+exists\s+)?(\w+)\s+on\s+(\w+)/i

/**
 * Makes a statement keep an index that is there already: on a large table an operator may have built it before the upgrade, while
 * the service ran. Released migrations that do not say so cannot be edited.
 */
const keepingIndex = (statement: string): string => statement.replace(ofIndex, '$1if not exists $2 on $3')

/** The names of a table and of its index that exist only while `refuseOtherIndex` looks at a statement. */
const [probe, probeIndex] = ['atelier_index_probe', 'atelier_index_probe_index'] as const

/**
 * Throws if a statement creates an index whose name another index has already: one that was built before the upgrade with other
 * columns or another condition. It would be kept, and queries would be slow, or a rule of uniqueness would be missing. To have both
 * definitions in the words of PostgreSQL, the statement is run on an empty table with the same columns.
 */
async function refuseOtherIndex(tx: Db, statement: string): Promise<void> {
  const [, , name = '', table = ''] = ofIndex.exec(statement) ?? []
  const there = await definitionOf(tx, name)
  if (there === null) return
  const run = (text: string) => tx.executeQuery(CompiledQuery.raw(text))
  await run(`create table ${probe} (like ${table})`)
  await run(statement.replace(ofIndex, `$1${probeIndex} on ${probe}`))
  const definition = await definitionOf(tx, probeIndex)
  await run(`drop table ${probe}`)
  const wanted = definition?.replace(probeIndex, name.toLowerCase()).replace(probe, table.toLowerCase())
  if (there === wanted) return
  throw new OperatorError(
    `There is an index ${name} already that is not the one of this version. It is: ${there}; it has to be: ${wanted}. Drop it ` +
      '(drop index …), or build it as it has to be, and start again. Nothing was changed.',
  )
}

/** Returns the statement that creates an index, as PostgreSQL words it; null if there is no such index. */
async function definitionOf(tx: Db, name: string): Promise<string | null> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_indexdef(i.indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relname = lower(${name})`.execute(tx)
  return rows[0]?.definition ?? null
}

/**
 * Throws if an index of these migrations is not usable: it was built beforehand, and that has not ended or was broken off. Then no
 * query would use it, and nobody would notice.
 */
async function refuseBrokenIndexes(tx: Db, migrations: readonly Migration[]): Promise<void> {
  const statements = migrations.flatMap(({ text }) => statementsOf(text))
  const names = statements.flatMap((statement) => ofIndex.exec(statement)?.[2] ?? [])
  const { rows } = await sql<{ name: string }>`
    select c.relname::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisvalid and c.relnamespace = quote_ident(current_schema())::regnamespace and c.relname = any(${names}::text[])
    order by 1`.execute(tx)
  if (rows.length === 0) return
  const list = rows.map((row) => row.name).join(', ')
  throw new OperatorError(
    `An index that was built before the upgrade is not complete (${list}): wait until its “create index concurrently” has ended. ` +
      'If that was broken off, drop the index (drop index …). Then start again. Nothing was changed.',
  )
}
