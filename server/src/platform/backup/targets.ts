// In charge of the places that a database is restored into: the data folder of an embedded database, or a PostgreSQL database.
import { existsSync, renameSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { type Database, openDatabase } from '../db.ts'
import { databaseFolder, embeddedEngine } from '../embedded.ts'
import { lockFolder } from '../folder-lock.ts'
import { createLog } from '../log.ts'
import { OperatorError, wordsOf } from '../operator-error.ts'
import { postgresEngine } from '../postgres.ts'
import { createdb, refuseUnfit } from '../postgres-fit.ts'
import { asideFolder, restoringFolder } from './interrupted.ts'
import { type PostgresServer, postgresProgram, restorePostgres, unpack } from './tools.ts'

/** Looks at a database that was restored; throws if it cannot be used. */
type Check<T> = (database: Database) => Promise<T>

/** An empty place for a database. `load`: restores a dump into the place, and returns what `check` returns. */
export type Target = { load<T>(dump: string, check: Check<T>): Promise<T>; release(): void }

/** Creates and locks a data folder; throws if there is a database in it. */
export function folderTarget(dataDir: string): Target {
  const lock = lockFolder(dataDir)
  const folder = databaseFolder(dataDir)
  if (existsSync(folder)) {
    lock.release()
    throw new OperatorError(
      `There is a database in ${folder} already: set ATELIER_DATA_DIR to another folder, or move that one away.`,
    )
  }
  return { load: async (dump, check) => (await replaceFolder(dataDir, dump, check)).found, release: lock.release }
}

/**
 * Unpacks a database beside the one in a data folder. Puts it in the place of that one only if it can be opened and `check` does not
 * throw. Returns what `check` returned, and where the former database is kept; null if there was none. The caller has the lock.
 */
export async function replaceFolder<T>(
  dataDir: string,
  packed: string,
  check: Check<T>,
): Promise<{ found: T; aside: string | null }> {
  const restoring = restoringFolder(dataDir)
  await rm(restoring, { recursive: true, force: true })
  await mkdir(databaseFolder(restoring), { recursive: true, mode: 0o700 })
  try {
    await unpack(packed, databaseFolder(restoring))
    const engine = await embeddedEngine(restoring).catch((error: unknown) => {
      throw doesNotOpen(dataDir, error)
    })
    const found = await checked(openDatabase(engine), check)
    return { found, aside: exchange(restoring, dataDir) }
  } finally {
    await rm(restoring, { recursive: true, force: true })
  }
}

/** Returns the error for a database that was unpacked and does not open. Others, such as that of a full disk, are returned as they are. */
function doesNotOpen(dataDir: string, error: unknown): unknown {
  if (!(error instanceof OperatorError) || error.cause === undefined) return error
  const [why] = wordsOf(error.cause).split('\n')
  return new OperatorError(
    `The database in this snapshot or backup does not open (${why}). ${databaseFolder(dataDir)} is as it was before. ` +
      'All snapshots are listed by: npm run restore -- --snapshot list',
    { cause: error.cause },
  )
}

/** Renames one right after the other. If the process is killed in between, `refuseAfterInterrupted` keeps the next start from going on. */
function exchange(restoring: string, dataDir: string): string | null {
  const folder = databaseFolder(dataDir)
  const aside = existsSync(folder) ? asideFolder(dataDir) : null
  if (aside !== null) renameSync(folder, aside)
  try {
    renameSync(databaseFolder(restoring), folder)
  } catch (error) {
    if (aside !== null) renameSync(aside, folder)
    throw error
  }
  return aside
}

/**
 * SQL for a table of any schema, because a role may have a schema of its own. Tables of extensions are left out, which a new database
 * has where its template has the extension.
 */
const anyTable = `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.oid limit 1`

/** Throws if a PostgreSQL database cannot be used, or has tables. */
export async function postgresTarget(url: string): Promise<Target> {
  const { major, first } = await withPostgres(url, async (database) => {
    await refuseUnfit(database, null)
    const [first] = await database.script(anyTable)
    return { major: await serverMajor(database), first }
  }).catch((error: unknown) => {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`The database cannot be used: ${wordsOf(error)}.`, { cause: error })
  })
  if (first) {
    throw new OperatorError(
      `The database has tables already (such as ${first.name}): restore into an empty one (${createdb}).`,
    )
  }
  await postgresProgram('pg_restore', major) // throws before files are copied, which may take long
  return { load: (dump, check) => loadPostgres({ url, major }, dump, check), release: () => undefined }
}

async function loadPostgres<T>(server: PostgresServer, dump: string, check: Check<T>): Promise<T> {
  await restorePostgres(server, dump)
  // pg_restore has committed by now, so the database stays filled if the check fails.
  return withPostgres(server.url, check).catch((error: unknown) => {
    throw new OperatorError(
      `${wordsOf(error)}\nThe database is filled now, and cannot be used as it is: drop it and create it again ` +
        `(dropdb, ${createdb}) before the next restore.`,
      { cause: error },
    )
  })
}

/** Returns the major version of the PostgreSQL server. */
export async function serverMajor({ script }: Database): Promise<number> {
  const [found] = await script("select current_setting('server_version_num')::int / 10000 as major")
  return Number(found?.major)
}

/** Opens a PostgreSQL database over one connection without a time limit for SQL, and closes it after `use`. */
export async function withPostgres<T>(url: string, use: Check<T>): Promise<T> {
  const log = createLog('warn')
  return checked(openDatabase(postgresEngine(url, { connections: 1, log, statementTimeoutMs: 0 })), use)
}

async function checked<T>(database: Database, check: Check<T>): Promise<T> {
  try {
    return await check(database)
  } finally {
    await database.close()
  }
}
