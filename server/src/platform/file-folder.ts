// In charge of storing the bytes of files in a local folder.
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { isDigest } from '@atelier/contract/files.ts'
import {
  type ByteRange,
  type ByteStore,
  bytesGone,
  filesUnavailable,
  ifMissing,
  isFilesUnavailable,
  onDisk,
  type Placed,
  pathOf,
  proveWritable,
  receiveInto,
  removeAbandonedIn,
} from './byte-store.ts'
import { OperatorError, wordsOf } from './operator-error.ts'

/**
 * Makes a store in a folder. Files are at `ab/cd/<digest>`. Uploads arrive in `incoming` on the same disk and are then renamed.
 * `named`: the setting that says where the folder is, for messages.
 */
export function fileFolder(folder: string, named = 'ATELIER_FILES'): ByteStore {
  const root = resolve(folder)
  const incoming = join(root, 'incoming')
  const placeOf = (digest: string): string => join(root, pathOf(digest))

  return {
    prepare: () =>
      proveWritable(incoming).catch((error: unknown) => {
        const why = wordsOf(error)
        throw new OperatorError(`The folder for files ${root} (${named}) cannot be used: ${why}.`, {
          cause: error,
        })
      }),
    proveThere: async () => {
      const found = await stat(root).catch(ifMissing(null))
      if (!found?.isDirectory()) throw new OperatorError(notThere(root))
    },
    receive: async (source, limit) => {
      const { digest, size, path, discard } = await receiveInto(incoming, source, limit)
      // The file is on this disk already, so `send` has nothing to do.
      return {
        digest,
        size,
        discard,
        send: async () => undefined,
        place: () => onDisk(moveDurably(path, placeOf(digest))),
      }
    },
    read: (digest, size, range) => read(placeOf(digest), { digest, size }, range),
    list: () => placed(root),
    remove: (digest) => onDisk(rm(placeOf(digest), { force: true })),
    removeAbandoned: (olderThanMs) => removeAbandonedIn(incoming, olderThanMs),
    linkTo: async () => null,
  }
}

/** Renames a file in such a way that the new name survives a power failure: the folders of the new path are synced too. */
async function moveDurably(from: string, to: string): Promise<void> {
  const last = dirname(to)
  await mkdir(last, { recursive: true, mode: 0o700 })
  await rename(from, to)
  for (const folder of [last, dirname(last), dirname(dirname(last))]) await syncFolder(folder)
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function read(path: string, { digest, size }: Placed, range?: ByteRange): Promise<Readable> {
  const handle = await onDisk(open(path, 'r').catch(ifMissing(null)))
  if (handle && (await sizeOf(handle)) === size) return handle.createReadStream(range ?? { start: 0, end: size - 1 })
  await handle?.close()
  throw bytesGone(digest, path)
}

const notThere = (root: string): string =>
  `There is no folder of files at ${root}: is its path right, and its disk mounted? A new one is made at the first start.`

/**
 * Lists what lies where `pathOf` puts it. Other programs leave files of their own, such as `.DS_Store`, on any level. What the disk
 * cannot read is passed over, and is named by the `Unreadable` that is thrown after the last file.
 */
async function* placed(root: string): AsyncGenerator<Placed> {
  const unreadable: string[] = []
  const orNoted = <T>(name: string, work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      if (!isOfDisk(error)) throw filesUnavailable(error)
      unreadable.push(name)
      return null
    })
  const namesIn = async (folder: string) =>
    (await orNoted(`${folder}/`, readdir(join(root, folder)).catch(ifNoFolder))) ?? []
  const firsts = await onDisk(readdir(root).catch(ifNoFolder))
  for (const first of firsts.filter(isPart)) {
    for (const second of (await namesIn(first)).filter(isPart)) {
      const isHere = (name: string) => isDigest(name) && name.startsWith(first + second)
      for (const digest of (await namesIn(`${first}/${second}`)).filter(isHere)) {
        const found = await orNoted(digest, stat(join(root, pathOf(digest))).catch(ifMissing(null)))
        if (found?.isFile()) yield { digest, size: found.size }
      }
    }
  }
  if (unreadable.length > 0) throw new Unreadable(unreadable)
}

/** Thrown at the end of a list. `names`: the digests of files, and folders as `ab/` or `ab/cd/`. */
export class Unreadable extends OperatorError {
  readonly names: readonly string[]
  constructor(names: readonly string[]) {
    super(`The disk of files fails, and cannot read: ${names.join(', ')}.`)
    this.names = names
  }
}

/**
 * The codes of errors that say that a sector is broken (EIO), or what a file system keeps of a file or folder (EUCLEAN, 117, and
 * EBADMSG, 74, on Linux). Node.js has a name for the first only.
 */
const codesOfDisk: readonly unknown[] = ['EIO', 'Unknown system error -117', 'Unknown system error -74']

/** Whether the disk failed to read one file or folder. That is no reason to give up others, the less so as it may fail soon as a whole. */
export function isOfDisk(error: unknown): boolean {
  const cause = isFilesUnavailable(error) ? error.cause : error
  return cause instanceof Error && 'code' in cause && codesOfDisk.includes(cause.code)
}

const sizeOf = async (handle: FileHandle): Promise<number> => (await onDisk(handle.stat())).size

const isPart = (name: string): boolean => /^[0-9a-f]{2}$/.test(name)

function ifNoFolder(error: unknown): string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return []
  return ifMissing<string[]>([])(error)
}
