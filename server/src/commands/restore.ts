// In charge of `restore`: restores a backup where no data exists yet, or resets the embedded database to one of its snapshots.
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyFiles } from '../platform/backup/copy-files.ts'
import { checkDatabase, filesOf, type Manifest, readManifest } from '../platform/backup/manifest.ts'
import { withBackup } from '../platform/backup/places.ts'
import { snapshotsIn, stampOf } from '../platform/backup/snapshots.ts'
import { restorePostgres, unpack } from '../platform/backup/tools.ts'
import type { ByteStore } from '../platform/byte-store.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { type Database, openDatabase } from '../platform/db.ts'
import { databaseFolder, embeddedEngine } from '../platform/embedded.ts'
import { fileFolder } from '../platform/file-folder.ts'
import { lockFolder } from '../platform/folder-lock.ts'
import { createLog } from '../platform/log.ts'
import { refuseUnknown } from '../platform/migrate.ts'
import { openFiles } from '../platform/open-files.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { postgresEngine } from '../platform/postgres.ts'

const help = `Puts a backup into the place that the settings name, which has to be empty; the service is stopped.

  npm run restore -- --from /mnt/backups              the newest backup in there
  npm run restore -- --from /mnt/backups/atelier-…    that one
  npm run restore -- --from s3://bucket/prefix --key atelier-backup.key

Or takes the embedded database back to a snapshot that the service took of it; the database of now is kept beside it.

  npm run restore -- --snapshot latest
  npm run restore -- --snapshot list`

export async function restore(args: string[]): Promise<void> {
  const { from, snapshot, key } = readArguments(args)
  const config = readConfig(process.env)
  if (from !== undefined && snapshot === undefined)
    return withBackup(from, { ...config, keyFile: key }, (folder) => restoreBackup(config, folder))
  if (snapshot !== undefined && from === undefined) return restoreSnapshot(config, snapshot)
  throw new OperatorError(help)
}

async function restoreBackup(config: Config, backup: string): Promise<void> {
  const manifest = readManifest(backup)
  refuseOtherKind(config, manifest)
  const dump = await checkDatabase(backup, manifest)
  const files = openFiles(config)
  await files.prepare()
  const { count, damaged } = await copyFiles(fileFolder(filesOf(backup)), files)
  if (damaged.length > 0) {
    throw new OperatorError(
      `${damaged.length} files of ${backup} are damaged, such as ${damaged[0]}: take another backup.`,
    )
  }
  const check = (database: Database) => checkRestored(database, files)
  const found =
    config.databaseUrl === null
      ? await intoFolder(config.dataDir, dump, check)
      : await intoPostgres(config.databaseUrl, dump, check)
  console.log(
    `Restored the backup of ${manifest.moment}: ${found.tasks} tasks, ${found.creatives} creatives, ${count} files. Start the service.`,
  )
}

function refuseOtherKind({ databaseUrl }: Config, { database }: Manifest): void {
  if (database.kind === 'postgres' && databaseUrl === null) {
    throw new OperatorError('This is the backup of a PostgreSQL database: set DATABASE_URL to an empty database there.')
  }
  if (database.kind === 'embedded' && databaseUrl !== null) {
    throw new OperatorError(
      'This is the backup of an embedded database: restore it without DATABASE_URL, then take it to PostgreSQL with npm run move.',
    )
  }
}

type Found = { tasks: number; creatives: number }
type Check = (database: Database) => Promise<Found>

async function intoFolder(dataDir: string, dump: string, check: Check): Promise<Found> {
  const folder = databaseFolder(dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockFolder(dataDir)
  try {
    if (existsSync(folder)) {
      throw new OperatorError(
        `There is a database in ${folder} already: set ATELIER_DATA_DIR to another folder, or move that one away.`,
      )
    }
    return await unpackChecked(dataDir, dump, check)
  } finally {
    lock.release()
  }
}

/** Unpacks a database into a temporary folder. Moves it to its final place only if it can be opened and `check` does not throw. */
async function unpackChecked(dataDir: string, packed: string, check: Check): Promise<Found> {
  const restoring = join(dataDir, 'restoring')
  await rm(restoring, { recursive: true, force: true })
  await mkdir(databaseFolder(restoring), { recursive: true, mode: 0o700 })
  try {
    await unpack(packed, databaseFolder(restoring))
    const found = await checked(openDatabase(await embeddedEngine(restoring)), check)
    await rename(databaseFolder(restoring), databaseFolder(dataDir))
    return found
  } finally {
    await rm(restoring, { recursive: true, force: true })
  }
}

async function intoPostgres(url: string, dump: string, check: Check): Promise<Found> {
  const log = createLog('warn')
  const database = openDatabase(postgresEngine(url, { connections: 1, log, statementTimeoutMs: 0 }))
  const [first] = await database
    .script("select tablename from pg_tables where schemaname = 'public' limit 1")
    .catch(async (error: unknown) => {
      await database.close()
      throw new OperatorError(`The database cannot be used: ${error instanceof Error ? error.message : error}.`, {
        cause: error,
      })
    })
  if (first) {
    await database.close()
    throw new OperatorError(
      `The database has tables already (such as ${first.tablename}): restore into an empty one (createdb).`,
    )
  }
  await restorePostgres(url, dump).catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  return checked(database, check)
}

async function checked(database: Database, check: Check): Promise<Found> {
  try {
    return await check(database)
  } finally {
    await database.close()
  }
}

/** Counts the restored records; throws if this version cannot work with the restored schema. */
async function countRestored({ main, script }: Database): Promise<Found> {
  await refuseUnknown(main)
  const [counts] = await script(
    'select (select count(*) from tasks)::int as tasks, (select count(*) from creatives)::int as creatives',
  )
  return { tasks: Number(counts?.tasks), creatives: Number(counts?.creatives) }
}

/**
 * Counts the restored records like `countRestored`. Also throws if a file that the database names is missing or has another size.
 */
async function checkRestored(database: Database, files: ByteStore): Promise<Found> {
  const sizes = new Map<string, number>()
  for await (const { digest, size } of files.list()) sizes.set(digest, size)
  const known = await database.main.selectFrom('files').select(['digest', 'size']).execute()
  const missing = known.filter(({ digest, size }) => sizes.get(digest) !== Number(size))
  if (missing.length > 0) {
    throw new OperatorError(
      `${missing.length} files that the database knows are not in the backup, such as ${missing[0]?.digest}.`,
    )
  }
  return countRestored(database)
}

async function restoreSnapshot({ dataDir, databaseUrl }: Config, wanted: string): Promise<void> {
  if (databaseUrl !== null) {
    throw new OperatorError('Snapshots are of the embedded database, and DATABASE_URL names another one: unset it.')
  }
  const all = snapshotsIn(dataDir)
  if (wanted === 'list') {
    console.log(
      all.length === 0
        ? `There are no snapshots in ${dataDir}.`
        : all.map(({ name, takenAt }) => `${takenAt}  ${name}`).join('\n'),
    )
    return
  }
  const snapshot = wanted === 'latest' ? all.at(-1) : all.find(({ name }) => name === wanted)
  if (!snapshot)
    throw new OperatorError(`There is no such snapshot in ${dataDir}: npm run restore -- --snapshot list shows them.`)
  const lock = lockFolder(dataDir)
  try {
    const folder = databaseFolder(dataDir)
    const aside = `${folder}-before-${stampOf(new Date())}`
    if (existsSync(folder)) await rename(folder, aside)
    const found = await unpackChecked(dataDir, snapshot.path, countRestored).catch(async (error: unknown) => {
      if (existsSync(aside)) await rename(aside, folder)
      throw error
    })
    console.log(
      `The embedded database is as it was at ${snapshot.takenAt}: ${found.tasks} tasks, ${found.creatives} creatives.\n` +
        `What it was until now is kept in ${aside}. Start the service.`,
    )
  } finally {
    lock.release()
  }
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      options: { from: { type: 'string' }, snapshot: { type: 'string' }, key: { type: 'string' } },
    }).values
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : error}\n\n${help}`)
  }
}
