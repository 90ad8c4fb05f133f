// In charge of `backup`: copies the database and the files into a backup that `restore` can read. The service may keep running.
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { archiveName, encrypterFor, makeKey, packArchive } from '../platform/backup/archive.ts'
import { type Copied, copyFiles } from '../platform/backup/copy-files.ts'
import { isAmong, roomForCopy } from '../platform/backup/listing.ts'
import { filesOf, type Manifest, writeManifest } from '../platform/backup/manifest.ts'
import { missingFrom } from '../platform/backup/named-files.ts'
import { proveBucket, sendArchive } from '../platform/backup/places.ts'
import { stampOf } from '../platform/backup/stamps.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { parseBucket } from '../platform/config-values.ts'
import { requireRoomFor } from '../platform/disk-room.ts'
import { fileFolder } from '../platform/file-folder.ts'
import { openFiles } from '../platform/open-files.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'
import { productVersion } from '../platform/version.ts'
import { addressOf, argumentError, readOptions } from './arguments.ts'
import { copyDatabase, type Named } from './backup-database.ts'
import { counted, firstOf, megabytes } from './words.ts'

const help = `Backs up the database and the files that the settings name. The service may go on running.

  npm run backup -- --to /mnt/backups
  npm run backup -- --to s3://bucket/prefix --encrypt-for age1…

Each backup is a folder of its own in there, readable by you alone: it holds signing keys and every record. In a bucket,
and encrypted, it is one file. Put it back with npm run restore. To encrypt, make a key pair once, and keep the file
where the backups are not:

  npm run backup -- --new-key atelier-backup.key`

export async function backUp(args: string[]): Promise<void> {
  const options = readOptions(args, help, {
    to: { type: 'string' },
    'encrypt-for': { type: 'string', multiple: true },
    'new-key': { type: 'string' },
  })
  if (options === null) return
  const { to, 'encrypt-for': recipients = [], 'new-key': keyFile } = options
  if (keyFile !== undefined && to === undefined) return printKey(keyFile)
  if (to === undefined) throw argumentError('Say where to: --to folder, or --to s3://bucket/prefix', help)
  if (keyFile !== undefined) throw argumentError('Make the key first: --new-key goes without --to.', help)
  const target = addressOf('--to', to)
  encrypterFor(recipients) // checks the recipients before anything is copied
  const config = readConfig(process.env)
  const isBucket = parseBucket(target) !== null
  await openFiles(config).proveThere()
  if (isBucket) await proveBucket(target, config)
  const stamp = stampOf(new Date())
  const isEncrypted = recipients.length > 0
  const name = isBucket || isEncrypted ? archiveName(stamp, isEncrypted) : `atelier-${stamp}`
  // The names of what is temporary are unlike that of a backup, so that an interrupted backup never looks like a complete one.
  const folder = isBucket ? config.dataDir : resolve(target)
  const making = join(folder, `.making-${stamp}`)
  // What is to be encrypted is collected in the data folder: the place of the backups never gets anything that is not encrypted.
  const staging = isEncrypted ? join(config.dataDir, `.making-${stamp}`) : making
  const backup = join(staging, 'backup')
  await makeFolder(making)
  try {
    await makeFolder(staging)
    const isPacked = isBucket || isEncrypted
    const copied = await copyInto(backup, config, isPacked ? making : null)
    const packed = join(making, name)
    if (isPacked) await packArchive(backup, packed, recipients)
    if (isBucket) await sendArchive(packed, target, config)
    else await rename(isEncrypted ? packed : backup, join(folder, name))
    say(isBucket ? `${target.replace(/\/*$/, '')}/${name}` : join(folder, name), copied)
  } finally {
    for (const path of new Set([making, staging])) await rm(path, { recursive: true, force: true })
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new OperatorError(`Nothing can be written to ${dirname(path)}: ${wordsOf(error)}.`, { cause: error })
  })
}

async function printKey(file: string): Promise<void> {
  const recipient = await makeKey(resolve(file))
  console.log(
    `The secret key is in ${resolve(file)}: keep it safe and away from the backups; without it they cannot be opened.\n` +
      `Back up with: npm run backup -- --to … --encrypt-for ${recipient}`,
  )
}

/**
 * What is not in the backup: `damaged` and `missing` are the digests of files with other bytes or without any; `unreadable` are the
 * names, as in `Unreadable`, of what the disk cannot read.
 */
type Done = Left & { manifest: Manifest; missing: string[]; unread: string | null }
type Left = Pick<Copied, 'damaged' | 'unreadable'>

/** Copies database and files into a new folder, and writes the manifest. `packing`: the folder that it is packed into afterwards. */
async function copyInto(folder: string, config: Config, packing: string | null): Promise<Done> {
  await mkdir(folder, { mode: 0o700 })
  const moment = new Date().toISOString()
  const { named, ...database } = await copyDatabase(config, folder)
  const files = openFiles(config)
  // How large the copy of a database is, is only known once it was made. Most of a backup are its files.
  const room = await roomForCopy(files)
  requireRoomFor([
    { folder, bytes: room.folder },
    ...(packing === null ? [] : [{ folder: packing, bytes: room.archive + database.database.bytes }]),
  ])
  // Files are copied after the database. A file's bytes are kept for an hour after its row in `files` was deleted, so every file
  // that the copied database names can still be copied.
  const { count, bytes, ...left } = await copyFiles(files, fileFolder(filesOf(folder)))
  await rm(join(filesOf(folder), 'incoming'), { recursive: true, force: true })
  const manifest: Manifest = { format: 1, moment, version: productVersion, ...database, files: { count, bytes } }
  await writeManifest(folder, manifest)
  return { manifest, ...left, ...(await compare(folder, named, left)) }
}

/** Compares the files in the backup with those that its database names. `left`: those of which it is known why they are not in it. */
async function compare(
  folder: string,
  named: Named,
  { damaged, unreadable }: Left,
): Promise<Pick<Done, 'missing' | 'unread'>> {
  if ('unread' in named) return { missing: [], unread: named.unread }
  const missing = await missingFrom(fileFolder(filesOf(folder)), named.files)
  const explained = new Set([...damaged, ...unreadable])
  return { missing: missing.filter((digest) => !isAmong(explained, digest)), unread: null }
}

function say(place: string, { manifest: { database, files }, ...found }: Done): void {
  console.log(
    `Backed up to ${place}: the database (${megabytes(database.bytes)}) and ${counted(files.count, 'file')} (${megabytes(files.bytes)}).`,
  )
  const faults = faultsOf(found)
  if (faults.length === 0) return
  console.error(faults.join('\n'))
  process.exitCode = 1
}

function faultsOf({ damaged, unreadable, missing, unread }: Omit<Done, 'manifest'>): string[] {
  const earlier = 'An earlier backup may have them; in this one they are missing, and it can be restored without them.'
  const fault = (names: readonly string[], words: string, ...kind: [one: string, several?: string]): string[] =>
    names.length === 0 ? [] : [`Of ${counted(names.length, ...kind)} ${words}: ${firstOf(names)}. ${earlier}`]
  return [
    ...fault(damaged, 'the bytes are no longer those that were stored', 'file'),
    ...fault(unreadable, 'the bytes cannot be read, as the disk fails', 'file or folder', 'files or folders'),
    ...fault(missing, 'that the database names the bytes are gone', 'file'),
    ...(unread === null ? [] : [`Whether every file that the database names is in the backup is not known: ${unread}`]),
  ]
}
