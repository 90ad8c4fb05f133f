// In charge of reading from a file how it was made. A request that puts a file on a creative also reads the file. Files that are
// put on creatives in other ways, for example by an export, are read by a periodic job.
import { sourceTypeOf } from '../../nodes/images/marks.ts'
import { packetsInPng } from '../../nodes/images/png-packets.ts'
import type { Database, Db } from '../../platform/db.ts'
import type { FileStore } from '../../platform/file-store.ts'
import { createFailedReads, type FailedReads } from './failed-reads.ts'
import { isFileRead, keepFileMarks, unreadFiles } from './store.ts'

export type Reading = {
  database: Database
  files: Pick<FileStore, 'find' | 'read'>
}

/** A function that stores what was read from a file. Called in the transaction that puts the file on a creative. */
export type Kept = (tx: Db) => Promise<void>

const nothing: Kept = async () => undefined

/**
 * Reads how a file was made, and returns a function that stores the result. The function stores nothing if there is no file, or if
 * the file was read before. A digest without a file is not refused here, but when the creative is written.
 */
export async function noteFile(reading: Reading, digest: string | null | undefined): Promise<Kept> {
  if (!digest || (await isFileRead(reading.database.main, digest))) return nothing
  const read = await sourceTypeIn(reading.files, digest)
  return read === undefined ? nothing : (tx) => keepFileMarks(tx, digest, read.term)
}

/** Returns the source type that a file names (`term` is null if it names none or is broken); undefined if the file does not exist. */
export async function sourceTypeIn(
  files: Reading['files'],
  digest: string,
): Promise<{ term: string | null } | undefined> {
  const file = await files.find(digest)
  if (!file) return undefined
  const plain = await sourceTypeOf(await files.read(file))
  if (plain !== null || file.media_type !== 'image/png') return { term: plain }
  // In a PNG the XMP packet may be compressed.
  return { term: await sourceTypeOf(packetsInPng(await files.read(file))) }
}

const batch = 50

/**
 * Returns the periodic job that reads those files of creatives that nobody has read yet. If reading a file fails, a later call tries
 * again; the more often it has failed, the later.
 */
export function dueFilesReader(reading: Reading): (stopping: AbortSignal) => Promise<void> {
  const failed = createFailedReads()
  return (stopping) => readDueFiles(reading, failed, stopping)
}

async function readDueFiles(reading: Reading, failed: FailedReads, stopping: AbortSignal): Promise<void> {
  const { database } = reading
  const failures: unknown[] = []
  for (const digest of await unreadFiles(database.main, batch, failed.begin())) {
    if (stopping.aborted) return
    try {
      const read = await sourceTypeIn(reading.files, digest)
      if (read) await keepFileMarks(database.main, digest, read.term)
      failed.delete(digest)
    } catch (error) {
      failed.add(digest)
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
