// In charge of `restore`: restores a backup where no data exists yet, or resets the embedded database to one of its snapshots.
import { copyFiles, damagedIn } from '../platform/backup/copy-files.ts'
import { checkDatabase, filesOf, type Manifest, readManifest } from '../platform/backup/manifest.ts'
import { compareFiles, namedFiles, type Unnamed } from '../platform/backup/named-files.ts'
import { withBackup } from '../platform/backup/places.ts'
import { snapshotsIn } from '../platform/backup/snapshots.ts'
import { folderTarget, postgresTarget, replaceFolder } from '../platform/backup/targets.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { parseBucket } from '../platform/config-values.ts'
import type { Database } from '../platform/db.ts'
import { databaseFolder } from '../platform/embedded.ts'
import { fileFolder } from '../platform/file-folder.ts'
import { lockFolder } from '../platform/folder-lock.ts'
import { refuseSchema, refuseUnknown } from '../platform/migrate.ts'
import { openFiles } from '../platform/open-files.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'
import { addressOf, argumentError, readOptions } from './arguments.ts'
import { sayFailure } from './failures.ts'
import { counted, megabytes } from './words.ts'

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
    return withBackup(addressOf('--from', from), { ...config, keyFile: key }, (folder) => restoreBackup(config, folder))
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
    // A file that was there before may have been damaged since. A bucket's store keeps digests of its own, and is believed.
    const isFolder = parseBucket(config.files ?? '') === null
    const damaged = isFolder ? await damagedIn(files) : new Set<string>()
    const { count, unreadable } = await copyFiles(fileFolder(filesOf(backup)), files, damaged)
    const stillDamaged = damaged.size === 0 ? damaged : await damagedIn(files, (digest) => damaged.has(digest))
    const found = await target.load(dump, async (database) => ({
      ...(await countRestored(database)),
      ...(await compareFiles(files, await namedFiles(database))),
    }))
    console.log(
      `Restored the backup of ${manifest.moment}: ${recordsIn(found)}, ${counted(count, 'file')}. Start the service.`,
    )
    sayUnnamed(found.unnamed)
    sayUnreadable(unreadable)
    sayMissing(found.missing, 'not in the backup, are damaged there, or are where a disk fails')
    sayDamaged([...stillDamaged])
  } finally {
    target.release()
  }
}

/** Prints the files that the database names and that are not as they were stored. `where`: where their bytes are not. */
function sayMissing(missing: readonly string[], where: string): void {
  if (missing.length === 0) return
  console.error(
    `The database names ${counted(missing.length, 'file')} whose bytes are ${where}. Everything is in its place ` +
      'except them: their downloads are answered with 404. Another backup may have them: npm run files -- copy --from ' +
      `<its files> --to <where the files are now>.\n${missing.join('\n')}`,
  )
  process.exitCode = 1
}

/** Prints what was not copied because the disk of the backup, or that of the files, cannot read it. */
function sayUnreadable(names: readonly string[]): void {
  if (names.length === 0) return
  console.error(
    `${counted(names.length, 'file or folder', 'files or folders')} cannot be read, in the backup or where the files are, as ` +
      `the disk fails. Left out:\n${names.join('\n')}`,
  )
  process.exitCode = 1
}

/** Says how many files there are that the database does not name. */
function sayUnnamed({ count, bytes }: Unnamed): void {
  if (count === 0) return
  console.log(
    `Files that are stored and that this database does not name, most likely as they were uploaded later: ${count} ` +
      `(${megabytes(bytes)}). They stay, also in later backups: another database may use them.`,
  )
}

/** Prints the files that were damaged where the files are, and that the backup could not replace. They are kept as they are. */
function sayDamaged(damaged: readonly string[]): void {
  if (damaged.length === 0) return
  console.error(
    `Files that were there before, have not the bytes that were stored, and are not whole in the backup either: ${damaged.length}. ` +
      `Delete them, and copy them from another backup: npm run files -- copy --from <its files> --to <where the files are now>.\n${damaged.join('\n')}`,
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

const recordsIn = ({ tasks, creatives }: Found): string =>
  `${counted(tasks, 'task')}, ${counted(creatives, 'creative')}`

/** Counts the restored records; throws if this version cannot work with the restored schema. */
async function countRestored({ main, script }: Database): Promise<Found> {
  await refuseUnknown(main)
  const [counts] = await script(
    'select (select count(*) from tasks)::int as tasks, (select count(*) from creatives)::int as creatives',
  )
  return { tasks: Number(counts?.tasks), creatives: Number(counts?.creatives) }
}

/** Returns the error for a snapshot that opens, but whose list of files cannot be read. */
const unreadableSnapshot = (dataDir: string, cause: unknown): OperatorError =>
  new OperatorError(
    `The list of files in this snapshot cannot be read (${wordsOf(cause)}). ${databaseFolder(dataDir)} is as it was before. ` +
      'All snapshots are listed by: npm run restore -- --snapshot list',
    { cause },
  )

async function restoreSnapshot(config: Config, wanted: string): Promise<void> {
  const { dataDir, databaseUrl } = config
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
    const files = openFiles(config)
    const { found, aside } = await replaceFolder(dataDir, snapshot.path, async (database) => ({
      ...(await countRestored(database)),
      named: await namedFiles(database).catch((error: unknown) => {
        throw unreadableSnapshot(dataDir, error)
      }),
    }))
    // Only now, because the snapshot takes its place even if the store cannot be asked.
    const compared = await compareFiles(files, found.named).catch((error: unknown) => ({ failure: sayFailure(error) }))
    const kept = aside === null ? '' : `What it was until now is kept in ${aside}. `
    console.log(
      `The embedded database is as it was at ${snapshot.takenAt}: ${recordsIn(found)}.\n${kept}Start the service.`,
    )
    if ('failure' in compared) {
      console.error(`Whether the files are there that it names is not known: ${compared.failure}`)
      process.exitCode = 1
      return
    }
    sayUnnamed(compared.unnamed)
    sayMissing(compared.missing, 'no longer where the files are (a purge may have removed them since)')
  } finally {
    lock.release()
  }
}
