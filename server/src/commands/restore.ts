// In charge of `restore`: restores a backup where no data exists yet, or resets the embedded database to one of its snapshots.
import { copyFiles } from '../platform/backup/copy-files.ts'
import { checkDatabase, filesOf, type Manifest, readManifest } from '../platform/backup/manifest.ts'
import { missingFrom, namedFiles } from '../platform/backup/named-files.ts'
import { withBackup } from '../platform/backup/places.ts'
import { snapshotsIn } from '../platform/backup/snapshots.ts'
import { folderTarget, postgresTarget, replaceFolder } from '../platform/backup/targets.ts'
import type { ByteStore } from '../platform/byte-store.ts'
import { type Config, readConfig } from '../platform/config.ts'
import type { Database } from '../platform/db.ts'
import { fileFolder } from '../platform/file-folder.ts'
import { lockFolder } from '../platform/folder-lock.ts'
import { refuseSchema, refuseUnknown } from '../platform/migrate.ts'
import { openFiles } from '../platform/open-files.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { argumentError, readOptions } from './arguments.ts'

const help = `Puts a backup into the place that the settings name, which has to be empty; the service is stopped.

  npm run restore -- --from /mnt/backups              the newest backup in there
  npm run restore -- --from /mnt/backups/atelier-…    that one
  npm run restore -- --from s3://bucket/prefix --key atelier-backup.key

Or takes the embedded database back to a snapshot that the service took of it; the database of now is kept beside it.

  npm run restore -- --snapshot latest
  npm run restore -- --snapshot list`

export async function restore(args: string[]): Promise<void> {
  const text = { type: 'string' } as const
  const options = readOptions(args, help, { from: text, snapshot: text, key: text })
  if (options === null) return
  const { from, snapshot, key } = options
  const config = readConfig(process.env)
  if (from !== undefined && snapshot === undefined)
    return withBackup(from, { ...config, keyFile: key }, (folder) => restoreBackup(config, folder))
  if (snapshot !== undefined && from === undefined) return restoreSnapshot(config, snapshot)
  throw argumentError('Say what to restore: either --from a backup, or --snapshot.', help)
}

async function restoreBackup(config: Config, backup: string): Promise<void> {
  const manifest = readManifest(backup)
  refuseOtherKind(config, manifest)
  refuseSchema(manifest.migrations ?? [])
  const dump = await checkDatabase(backup, manifest)
  const { dataDir, databaseUrl } = config
  const target = databaseUrl === null ? folderTarget(dataDir) : await postgresTarget(databaseUrl)
  try {
    const files = openFiles(config)
    await files.prepare()
    const { count } = await copyFiles(fileFolder(filesOf(backup)), files)
    const found = await target.load(dump, (database) => examine(database, files))
    console.log(
      `Restored the backup of ${manifest.moment}: ${found.tasks} tasks, ${found.creatives} creatives, ${count} files. Start the service.`,
    )
    sayMissing(found.missing)
  } finally {
    target.release()
  }
}

/** Prints the files that the backup lacks. They are not restored, and the service responds with 404 if one is downloaded. */
function sayMissing(missing: readonly string[]): void {
  if (missing.length === 0) return
  console.error(
    `The database names ${missing.length} files whose bytes are not in the backup, or are damaged there. Everything is in its place ` +
      'except them: their downloads are answered with 404. Another backup may have them: npm run files -- copy --from ' +
      `<its files> --to <where the files are now>.\n${missing.join('\n')}`,
  )
  process.exitCode = 1
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

/** Counts the restored records; throws if this version cannot work with the restored schema. */
async function countRestored({ main, script }: Database): Promise<Found> {
  await refuseUnknown(main)
  const [counts] = await script(
    'select (select count(*) from tasks)::int as tasks, (select count(*) from creatives)::int as creatives',
  )
  return { tasks: Number(counts?.tasks), creatives: Number(counts?.creatives) }
}

/** Counts the restored records like `countRestored`. `missing`: the digests of files that the database names and the store lacks. */
async function examine(database: Database, files: ByteStore): Promise<Found & { missing: string[] }> {
  const counts = await countRestored(database)
  return { ...counts, missing: await missingFrom(files, await namedFiles(database)) }
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
    const { found, aside } = await replaceFolder(dataDir, snapshot.path, countRestored)
    const kept = aside === null ? '' : `What it was until now is kept in ${aside}. `
    console.log(
      `The embedded database is as it was at ${snapshot.takenAt}: ${found.tasks} tasks, ${found.creatives} creatives.\n` +
        `${kept}Start the service.`,
    )
  } finally {
    lock.release()
  }
}
