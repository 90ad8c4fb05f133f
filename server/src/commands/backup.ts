// In charge of `backup`: copies the database and the files into a backup that `restore` can read. The service may keep running.
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { archiveName, encrypterFor, makeKey, packArchive } from '../platform/backup/archive.ts'
import { type Copied, copyFiles } from '../platform/backup/copy-files.ts'
import { describeDatabase, filesOf, type Manifest, writeManifest } from '../platform/backup/manifest.ts'
import { sendArchive } from '../platform/backup/places.ts'
import { stampOf } from '../platform/backup/snapshots.ts'
import { dumpPostgres, pack } from '../platform/backup/tools.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { filesAddress, parseBucket } from '../platform/config-values.ts'
import { databaseFolder } from '../platform/embedded.ts'
import { fileFolder } from '../platform/file-folder.ts'
import { lockFolder } from '../platform/folder-lock.ts'
import { openFiles } from '../platform/open-files.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { productVersion } from '../platform/version.ts'
import { askRunning } from './operator-socket.ts'

const help = `Backs up the database and the files that the settings name. The service may go on running.

  npm run backup -- --to /mnt/backups
  npm run backup -- --to s3://bucket/prefix --encrypt-for age1…

Each backup is a folder of its own in there, readable by you alone: it holds signing keys and every record. In a bucket,
and encrypted, it is one file. Put it back with npm run restore. To encrypt, make a key pair once, and keep the file
where the backups are not:

  npm run backup -- --new-key atelier-backup.key`

export async function backUp(args: string[]): Promise<void> {
  const { to, 'encrypt-for': recipients = [], 'new-key': keyFile } = readArguments(args)
  if (keyFile !== undefined && to === undefined) return printKey(keyFile)
  if (to === undefined || keyFile !== undefined) throw new OperatorError(help)
  const target = filesAddress(to)
  encrypterFor(recipients) // checks the recipients before anything is copied
  const config = readConfig(process.env)
  const isBucket = parseBucket(target) !== null
  const stamp = stampOf(new Date())
  const folder = isBucket ? config.dataDir : resolve(target)
  // The name of the temporary folder is unlike that of a backup, so that an interrupted backup never looks like a complete one.
  const making = join(folder, `.making-${stamp}`)
  await mkdir(making, { recursive: true, mode: 0o700 })
  const isFile = isBucket || recipients.length > 0
  const name = isFile ? archiveName(stamp, recipients.length > 0) : `atelier-${stamp}`
  const packed = join(making, name)
  try {
    const copied = await copyInto(join(making, 'backup'), config)
    if (isFile) await packArchive(join(making, 'backup'), packed, recipients)
    if (isBucket) await sendArchive(packed, target, config)
    else await rename(isFile ? packed : join(making, 'backup'), join(folder, name))
    say(isBucket ? `${target.replace(/\/*$/, '')}/${name}` : join(folder, name), copied)
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

async function printKey(file: string): Promise<void> {
  const recipient = await makeKey(resolve(file))
  console.log(
    `The secret key is in ${resolve(file)}: keep it safe and away from the backups; without it they cannot be opened.\n` +
      `Back up with: npm run backup -- --to … --encrypt-for ${recipient}`,
  )
}

/** Copies database and files into a new folder, and writes the manifest. */
async function copyInto(folder: string, config: Config): Promise<Done> {
  await mkdir(folder, { mode: 0o700 })
  const moment = new Date().toISOString()
  const database = await copyDatabase(config, folder)
  // Files are copied after the database. A file's bytes are kept for an hour after its row in `files` was deleted, so every file
  // that the copied database names can still be copied.
  const files = await copyFiles(openFiles(config), fileFolder(filesOf(folder)))
  await rm(join(filesOf(folder), 'incoming'), { recursive: true, force: true })
  const { count, bytes } = files
  const manifest: Manifest = { format: 1, moment, version: productVersion, database, files: { count, bytes } }
  await writeManifest(folder, manifest)
  return { manifest, files }
}

async function copyDatabase(config: Config, making: string): Promise<Manifest['database']> {
  const [kind, file] =
    config.databaseUrl === null ? (['embedded', 'database.tar.gz'] as const) : (['postgres', 'database.dump'] as const)
  const target = join(making, file)
  if (config.databaseUrl === null) await copyEmbedded(config.dataDir, target)
  else await dumpPostgres(config.databaseUrl, target)
  await chmod(target, 0o600)
  return describeDatabase(making, kind, file)
}

/** If a service is running, copies a snapshot that the service makes. Otherwise packs the folder of the database directly. */
async function copyEmbedded(dataDir: string, target: string): Promise<void> {
  const snapshot = await askRunning(dataDir, 'snapshot')
  if (typeof snapshot === 'string') return copyFile(snapshot, target)
  if (!existsSync(databaseFolder(dataDir))) {
    throw new OperatorError(`There is no embedded database in ${dataDir} (ATELIER_DATA_DIR): nothing to back up.`)
  }
  const lock = lockFolder(dataDir)
  try {
    await pack(databaseFolder(dataDir), target)
  } finally {
    lock.release()
  }
}

type Done = { manifest: Manifest; files: Copied }

function say(place: string, { manifest: { database, files }, files: { damaged } }: Done): void {
  console.log(
    `Backed up to ${place}: the database (${megabytes(database.bytes)}) and ${files.count} files (${megabytes(files.bytes)}).`,
  )
  if (damaged.length === 0) return
  console.error(
    `Of ${damaged.length} files the bytes are no longer those that were stored; they are not in the backup: ` +
      `${damaged.slice(0, 5).join(', ')}${damaged.length > 5 ? ', …' : ''}. An earlier backup may have them.`,
  )
  process.exitCode = 1
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        to: { type: 'string' },
        'encrypt-for': { type: 'string', multiple: true },
        'new-key': { type: 'string' },
      },
    }).values
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : error}\n\n${help}`)
  }
}
