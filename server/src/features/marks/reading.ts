// In charge of reading from a file how it was made. A request that puts a file on a creative also reads the file. Files that are
// put on creatives in other ways, for example by an export, are read by a periodic job.
import { buffer } from 'node:stream/consumers'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { sourceTypeOf } from '../../nodes/images/marks.ts'
import { isTemporary, type PictureWorkers, twiceIfUncertain } from '../../nodes/images/workers.ts'
import { NodeFailure } from '../../nodes/node-type.ts'
import type { Database, Db } from '../../platform/db.ts'
import type { FileStore } from '../../platform/file-store.ts'
import { createFailedReads, type FailedReads } from './failed-reads.ts'
import { isFileRead, keepFileMarks, unreadFiles } from './store.ts'

export type Reading = {
  database: Database
  files: Pick<FileStore, 'find' | 'read'>
  workers: Pick<PictureWorkers, 'sourceType'>
}

/** A function that stores what was read from a file. Called in the transaction that puts the file on a creative. */
export type Kept = (tx: Db) => Promise<void>

const nothing: Kept = async () => undefined

/**
 * Reads how a file was made, and returns a function that stores the result. The function stores nothing if there is no file, or if
 * the file was read before. A digest without a file is not refused here, but when the creative is written. If the file cannot be
 * read at the moment, the creative is written all the same, and the periodic job reads the file later.
 */
export async function noteFile(reading: Reading, digest: string | null | undefined): Promise<Kept> {
  if (!digest || (await isFileRead(reading.database.main, digest))) return nothing
  const read = await sourceTypeIn(reading, digest).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'overloaded') return undefined
    throw error
  })
  return read === undefined ? nothing : (tx) => keepFileMarks(tx, digest, read.term)
}

/**
 * Returns the source type that a file names (`term` is null if the file names none or is broken); undefined if the file does not
 * exist. Refuses if the file cannot be read now: what it says is then not known.
 */
export async function sourceTypeIn(
  { files, workers }: Omit<Reading, 'database'>,
  digest: string,
): Promise<{ term: string | null } | undefined> {
  const file = await files.find(digest)
  if (!file) return undefined
  const plain = await sourceTypeOf(await files.read(file))
  if (plain !== null || file.media_type !== 'image/png' || file.size > packed.bytes) return { term: plain }
  // In a PNG the XMP packet may be compressed, and decompressing it requires the whole file.
  const bytes = await buffer(await files.read(file))
  if (!bytes.includes('XML:com.adobe.xmp')) return { term: null }
  const ask = () => workers.sourceType(bytes, AbortSignal.timeout(packed.ms))
  const term = await twiceIfUncertain(ask).catch((error: unknown) => {
    if (isTemporary(error))
      throw new Refusal('overloaded', `The origin of the file ${digest} cannot be read now; try again in a moment.`)
    if (error instanceof NodeFailure) return null
    throw error
  })
  return { term }
}

const packed = { bytes: 64 * 1024 * 1024, ms: 60_000 } as const
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
      const read = await sourceTypeIn(reading, digest)
      if (read) await keepFileMarks(database.main, digest, read.term)
      failed.delete(digest)
    } catch (error) {
      failed.add(digest)
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
