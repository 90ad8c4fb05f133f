// In charge of storing and fetching backups. In a folder, a backup is a folder or a file; in a bucket, a backup is a file.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { Config } from '../config.ts'
import { parseBucket } from '../config-values.ts'
import { reasonOf } from '../file-bucket.ts'
import { OperatorError } from '../operator-error.ts'
import { type BucketPlace, type Objects, s3Objects } from '../s3-objects.ts'
import { isArchive, unpackArchive } from './archive.ts'
import { hasManifest } from './manifest.ts'
import { momentOf, oldestFirst } from './stamps.ts'

type Settings = Pick<Config, 'dataDir' | 's3PathStyle'>

/** The settings for fetching a backup. `keyFile` is the file with the secret key for encrypted backups. */
export type Fetching = Settings & { keyFile: string | undefined }

/** Checks that backups can be sent to a bucket. Called before anything is copied, so that a wrong address is reported early. */
export const proveBucket = (to: string, { s3PathStyle }: Settings): Promise<void> =>
  toldOf(to, s3Objects(placeOf(to), s3PathStyle).proveWritable())

/** Sends a backup that is a single file to a bucket. */
export async function sendArchive(file: string, to: string, { s3PathStyle }: Settings): Promise<void> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  const source = { path: file, size: (await stat(file)).size, sha256: hash.digest('hex') }
  await toldOf(to, s3Objects(placeOf(to), s3PathStyle).put(basename(file), source, true))
}

function placeOf(to: string): BucketPlace {
  const place = parseBucket(to)
  if (!place) throw new OperatorError(`${to} is no bucket: name one as s3://bucket/prefix.`)
  return place
}

/** Waits for a bucket's answer, and turns a failure into a sentence. */
const toldOf = <T>(address: string, asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw new OperatorError(`The bucket for backups ${address} cannot be used: ${reasonOf(error)}`, { cause: error })
  })

/**
 * Calls `use` with the folder of a backup. `from` names either one backup, or a folder or bucket with several backups; then the
 * newest of these is used. A backup that is a single file is unpacked to a temporary folder inside the data folder.
 */
export async function withBackup<T>(from: string, fetching: Fetching, use: (folder: string) => Promise<T>): Promise<T> {
  const found = parseBucket(from) ? await inBucket(from, fetching) : inFolder(resolve(from))
  if (typeof found === 'string') return use(found)
  const unpacked = join(fetching.dataDir, 'restoring-backup')
  await rm(unpacked, { recursive: true, force: true })
  await mkdir(unpacked, { recursive: true, mode: 0o700 })
  try {
    await unpackArchive({ name: found.name, bytes: await found.open() }, unpacked, fetching.keyFile)
    return await use(unpacked)
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
}

/** The path of a backup's folder, or a backup that is a single file. */
type Found = string | { name: string; open(): Promise<Readable> }

function inFolder(given: string): Found {
  const opened = (path: string) => ({ name: path, open: async () => createReadStream(path) })
  if (isArchive(given) && existsSync(given) && statSync(given).isFile()) return opened(given)
  if (hasManifest(given)) return given
  const newest = newestOf(backupsIn(given))
  if (newest === undefined)
    throw new OperatorError(
      `There is no backup in ${given}: it has no manifest.json, nor a folder atelier-<moment> that has one, nor a file ` +
        'atelier-<moment>.tar. One that was renamed is restored by its whole name.',
    )
  const path = join(given, newest)
  return isArchive(newest) ? opened(path) : path
}

/** A backup that somebody has renamed, even by adding to its name, is found by its whole name only. */
const nameOfOurs = /^atelier-(.+?)(?:\.tar(?:\.age)?)?$/

/** Returns the newest of those names that a backup of ours has. Like a snapshot, one of the future is the newest only if all are. */
export const newestOf = (names: readonly string[]): string | undefined =>
  oldestFirst(
    names.flatMap((name) => {
      const takenAt = momentOf(nameOfOurs.exec(name)?.[1] ?? '')
      return takenAt === null ? [] : [{ name, takenAt }]
    }),
  ).at(-1)?.name

const backupsIn = (folder: string): string[] =>
  existsSync(folder) && statSync(folder).isDirectory()
    ? readdirSync(folder).filter((name) => isArchive(name) || hasManifest(join(folder, name)))
    : []

async function inBucket(from: string, { s3PathStyle }: Settings): Promise<Found> {
  const place = placeOf(isArchive(from) ? dirname(from) : from)
  const objects = s3Objects(place, s3PathStyle)
  const names = await toldOf(from, archivesIn(objects))
  const name = isArchive(from) ? names.find((key) => key === basename(from)) : newestOf(names)
  if (name === undefined)
    throw new OperatorError(`There is no backup in ${from}: no object atelier-<moment>.tar is there.`)
  return {
    name: `s3://${place.bucket}/${place.prefix}${name}`,
    open: async () => {
      const got = await toldOf(from, objects.get(name))
      if (!got) throw new OperatorError(`${name} went away meanwhile.`)
      return got.body
    },
  }
}

async function archivesIn(objects: Objects): Promise<string[]> {
  const names: string[] = []
  for await (const { key } of objects.list()) if (isArchive(key) && !key.includes('/')) names.push(key)
  return names
}
