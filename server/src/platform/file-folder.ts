// In charge of the bytes of files in a local folder: taken in whole or not at all, found by their digest, never changed.
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { Invalid, Refusal } from '@atelier/contract/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { OperatorError } from './operator-error.ts'

/** Bytes from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }

/** `size` in bytes. */
export type Placed = { digest: string; size: number }

/** Bytes that have arrived and are on disk, not yet under their digest. */
export type Incoming = {
  digest: string
  size: number
  /** Moves them to their digest's place. */
  place(): Promise<void>
  /** Removes them where they have not been placed. */
  discard(): Promise<void>
}

export type FileFolder = {
  /** Makes the folder; throws `OperatorError` where it cannot be used. */
  prepare(): Promise<void>
  /** Takes a stream in, of at least one and at most `limit` bytes. */
  receive(source: Readable, limit: number): Promise<Incoming>
  /** The bytes of a file of this size, or some of them. */
  read(digest: string, size: number, range?: ByteRange): Promise<Readable>
  /** Every file there is, in no order; one that is removed meanwhile may be missing. */
  list(): AsyncGenerator<Placed>
  /** Removes a file's bytes, if they are there. */
  remove(digest: string): Promise<void>
  /** Removes what uploads left behind whose process died. */
  removeAbandoned(olderThanMs: number): Promise<void>
}

/** `ab/cd/<digest>` under the root; what is arriving lies in `incoming`, on the same disk, so that a move is a rename. */
export function fileFolder(folder: string): FileFolder {
  const root = resolve(folder)
  const incoming = join(root, 'incoming')
  const placeOf = (digest: string): string => join(root, digest.slice(0, 2), digest.slice(2, 4), digest)
  const makeFolder = (path: string) => mkdir(path, { recursive: true, mode: 0o700 })

  const receive = async (source: Readable, limit: number): Promise<Incoming> => {
    await onDisk(makeFolder(incoming))
    const path = join(incoming, uuidv7())
    const discard = () => onDisk(rm(path, { force: true }))
    try {
      const { digest, size } = await write(source, path, limit)
      return { digest, size, discard, place: () => onDisk(moveDurably(path, placeOf(digest), makeFolder)) }
    } catch (error) {
      await discard()
      throw error
    }
  }

  return {
    prepare: async () => {
      const probe = join(incoming, uuidv7())
      try {
        await makeFolder(incoming)
        await (await open(probe, 'wx')).close()
        await rm(probe)
      } catch (error) {
        const why = error instanceof Error ? error.message : error
        throw new OperatorError(`The folder for files ${root} (ATELIER_FILES) cannot be used: ${why}.`, {
          cause: error,
        })
      }
    },
    receive,
    read: (digest, size, range) => read(placeOf(digest), size, range),
    list: () => placed(root),
    remove: (digest) => onDisk(rm(placeOf(digest), { force: true })),
    removeAbandoned: async (olderThanMs) => {
      for (const name of await onDisk(readdir(incoming).catch(ifMissing<string[]>([])))) {
        const path = join(incoming, name)
        const found = await onDisk(stat(path).catch(ifMissing(null)))
        if (found && found.mtimeMs < Date.now() - olderThanMs) await onDisk(rm(path, { force: true }))
      }
    },
  }
}

/** Thrown where a file is larger than `ATELIER_FILE_LIMIT`. */
export const fileTooLarge = (limit: number) =>
  new Refusal('file_too_large', `A file may have ${limit} bytes at most here (ATELIER_FILE_LIMIT).`, { limit })

/**
 * Writes a stream to a new file, and on to the disk. The source is read as fast as the disk takes it, and is left as it
 * is where that fails: a request must outlive it to be answered.
 */
async function write(source: Readable, path: string, limit: number): Promise<{ digest: string; size: number }> {
  const hash = createHash('sha256')
  let size = 0
  const handle = await onDisk(open(path, 'wx', 0o600))
  try {
    for await (const chunk of chunksOf(source)) {
      size += chunk.length
      if (size > limit) throw fileTooLarge(limit)
      hash.update(chunk)
      await onDisk(handle.writeFile(chunk))
    }
    if (size === 0) throw invalidBody('the body has no bytes; send the file itself')
    await onDisk(handle.sync())
  } finally {
    await onDisk(handle.close())
  }
  return { digest: hash.digest('hex'), size }
}

async function* chunksOf(source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* source.iterator({ destroyOnReturn: false })
  } catch {
    throw invalidBody('the body broke off before its end')
  }
}

const invalidBody = (why: string) =>
  new Invalid([{ type: 'value_error', loc: ['body'], msg: `Value error, ${why}`, input: null, ctx: { error: {} } }])

/** A rename that a power cut does not undo: the folders that lead to the new place are synced too. */
async function moveDurably(from: string, to: string, makeFolder: (path: string) => Promise<unknown>): Promise<void> {
  const last = dirname(to)
  await makeFolder(last)
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

async function read(path: string, size: number, range: ByteRange = { start: 0, end: size - 1 }): Promise<Readable> {
  const handle = await open(path, 'r').catch(ifMissing(null)).catch(unusable)
  if (handle && (await sizeOf(handle)) === size) return handle.createReadStream(range)
  await handle?.close()
  throw new Error(
    `The bytes of the file ${path} are not there as they were stored. Do all processes share one folder (ATELIER_FILES)?`,
  )
}

async function* placed(root: string): AsyncGenerator<Placed> {
  const namesIn = (folder: string) => onDisk(readdir(folder).catch(ifMissing<string[]>([])))
  for (const first of (await namesIn(root)).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    for (const second of await namesIn(join(root, first))) {
      for (const digest of await namesIn(join(root, first, second))) {
        const found = await onDisk(stat(join(root, first, second, digest)).catch(ifMissing(null)))
        if (found?.isFile()) yield { digest, size: found.size }
      }
    }
  }
}

const sizeOf = async (handle: FileHandle): Promise<number> => (await onDisk(handle.stat())).size

const ifMissing =
  <T>(fallback: T) =>
  (error: unknown): T => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return fallback
    throw error
  }

const onDisk = <T>(work: Promise<T>): Promise<T> => work.catch(unusable)

/** The disk is full, read-only or broken: nobody's request is wrong, and the log must say what it is. */
function unusable(error: unknown): never {
  throw new Refusal('files_unavailable', 'Files cannot be written or read here just now; the log says why.', {}, error)
}
