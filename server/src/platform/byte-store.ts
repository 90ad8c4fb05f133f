// In charge of the interface that all stores of file bytes have, and of receiving a file on the local disk, which is the first step
// in every store.
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { invalidAt, Refusal } from '@atelier/contract/wire/errors.ts'
import { valueError } from '@atelier/contract/wire/validation-errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { countFileFailure } from './counts.ts'
import { requireRoom } from './disk-room.ts'

/** A range of bytes; the bytes at `start` and at `end` are both included. */
export type ByteRange = { start: number; end: number }

/** A file in a store, with its size in bytes. */
export type Placed = { digest: string; size: number }

/** Bytes that have arrived on the local disk, but are not stored under their digest yet. */
type Incoming = {
  digest: string
  size: number
  /** Does the slow part of storing the bytes; called outside transactions. */
  send(): Promise<void>
  /** Makes the bytes available under their digest; called after `send`. This is fast, so a transaction can wait for it. */
  place(): Promise<void>
  /** Deletes the copy on the local disk, if it still exists. */
  discard(): Promise<void>
}

/** Response headers for a browser that loads a file directly from the store. */
export type LinkHeaders = { mediaType: string; disposition: string }

/** A store of file bytes. A file is either stored completely or not at all, is found by its digest, and never changes. */
export type ByteStore = {
  /** Prepares the store; throws `OperatorError` if it cannot be used. */
  prepare(): Promise<void>
  /** Throws `OperatorError` if there is no such store, or if it cannot be read; unlike `prepare`, creates and writes nothing. */
  proveThere(): Promise<void>
  /** Receives a stream of at least one and at most `limit` bytes. */
  receive(source: Readable, limit: number): Promise<Incoming>
  /** Reads a file of this size, or a range of its bytes; throws `bytesGone` if the bytes are missing. */
  read(digest: string, size: number, range?: ByteRange): Promise<Readable>
  /** Lists all files, in no particular order; a file that is removed during the listing may be missing from the list. */
  list(): AsyncGenerator<Placed>
  /** Removes a file's bytes, if the store has them. */
  remove(digest: string): Promise<void>
  /** Removes what unfinished uploads left behind when a process died, if it is older than `olderThanMs`. */
  removeAbandoned(olderThanMs: number): Promise<void>
  /** Returns a URL at which the store itself serves the file for a few minutes; null if the store makes no such URLs. */
  linkTo(digest: string, headers: LinkHeaders): Promise<string | null>
}

/** Thrown if a file is larger than `ATELIER_FILE_LIMIT`. */
export const fileTooLarge = (limit: number) =>
  new Refusal('file_too_large', `A file may have ${limit} bytes at most here (ATELIER_FILE_LIMIT).`, { limit })

/** Thrown if the bytes of a known file are missing, or if their number has changed. `where` is the file's location, for the log. */
export function bytesGone(digest: string, where: string): Refusal {
  countFileFailure('gone')
  return new Refusal(
    'not_found',
    `The bytes of the file ${digest} are gone, though its record is there. Upload the file again.`,
    {},
    new Error(`${where} is missing or damaged. Do all processes use one store (ATELIER_FILES)? A backup may have it.`),
  )
}

/** Returns the error for a failure of the store. Only the log gets the cause, because the request is not at fault. */
export function filesUnavailable(cause: unknown): Refusal {
  countFileFailure('unavailable')
  return new Refusal('files_unavailable', 'Files cannot be written or read here just now; the log says why.', {}, cause)
}

export const isFilesUnavailable = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === 'files_unavailable'

/** The path of a file below a store's root. It is the same in all stores, so that other tools can copy files between stores. */
export const pathOf = (digest: string): string => `${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}`

/** A file that has arrived on the local disk, but is not stored yet. */
export type Arrived = Placed & { path: string; discard(): Promise<void> }

/**
 * Writes a stream to a new file in a folder and flushes that file to the disk. The stream is read only as fast as the disk can
 * write. After a failure the stream is not destroyed, because it belongs to a request that still needs a response.
 */
export async function receiveInto(folder: string, source: Readable, limit: number): Promise<Arrived> {
  await onDisk(mkdir(folder, { recursive: true, mode: 0o700 }))
  const path = join(folder, uuidv7())
  const discard = () => onDisk(rm(path, { force: true }))
  try {
    return { ...(await write(source, path, limit)), path, discard }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Removes the files older than `olderThanMs` that `receiveInto` left behind in a folder when a process died. */
export async function removeAbandonedIn(folder: string, olderThanMs: number): Promise<void> {
  for (const name of await onDisk(readdir(folder).catch(ifMissing<string[]>([])))) {
    const path = join(folder, name)
    const found = await onDisk(stat(path).catch(ifMissing(null)))
    if (found && found.mtimeMs < Date.now() - olderThanMs) await onDisk(rm(path, { force: true }))
  }
}

/** Creates a folder if it is missing, and checks that files can be written to it. */
export async function proveWritable(folder: string): Promise<void> {
  const probe = join(folder, uuidv7())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await (await open(probe, 'wx')).close()
  await rm(probe)
}

/** Writes the next bytes of a file, unless too little space is left: the embedded database may be on the same disk, and needs it. */
async function append(handle: FileHandle, path: string, chunk: Buffer): Promise<void> {
  requireRoom(dirname(path))
  await handle.writeFile(chunk)
}

async function write(source: Readable, path: string, limit: number): Promise<Placed> {
  const hash = createHash('sha256')
  let size = 0
  const handle = await onDisk(open(path, 'wx', 0o600))
  try {
    for await (const chunk of chunksOf(source)) {
      size += chunk.length
      if (size > limit) throw fileTooLarge(limit)
      hash.update(chunk)
      await onDisk(append(handle, path, chunk))
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

const invalidBody = (why: string) => invalidAt(['body'], valueError(why), null)

export const ifMissing =
  <T>(fallback: T) =>
  (error: unknown): T => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return fallback
    throw error
  }

/** Turns an error of the disk (for example a full or read-only disk) into `files_unavailable`. */
export const onDisk = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw filesUnavailable(error)
  })
