// In charge of thumbnails. A thumbnail is made from its picture at the first request, in a separate process, and then kept on disk.
// Everyone who may read the picture may get its thumbnail.
import { buffer } from 'node:stream/consumers'
import type { StoredFile } from '@atelier/contract/files.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { pictureLimits } from '../../nodes/images/limits.ts'
import { isTemporary, isUncertain, type PictureWorkers } from '../../nodes/images/workers.ts'
import { NodeFailure } from '../../nodes/node-type.ts'
import type { Db } from '../../platform/db.ts'
import type { FileStore } from '../../platform/file-store.ts'
import type { Log } from '../../platform/log.ts'
import { createTurns, inTurn } from '../../platform/turns.ts'
import type { ThumbnailFolder } from './thumbnail-folder.ts'

export type Thumbnails = {
  /** Returns the thumbnail of an existing file. Throws a refusal if no thumbnail can be made of the file. */
  read(file: StoredFile): Promise<Uint8Array>
  /** Called periodically: reduces the folder to its size limit. */
  sweep(): Promise<void>
}

type Parts = {
  db: Db
  files: Pick<FileStore, 'read'>
  workers: Pick<PictureWorkers, 'thumbnail'>
  folder: ThumbnailFolder
  log: Pick<Log, 'warn'>
}

/**
 * How many thumbnails are made at the same time: as many as there are processes that make them. The others wait before their
 * pictures are read, because each picture is held in memory as a whole.
 */
const atOnce = 2
/** How many thumbnails may wait to be made. One screen shows about twenty. */
const mostWaiting = 200
/**
 * The time limit for a thumbnail, in milliseconds, for its wait in the queue and its making together. The process that makes the
 * thumbnail also has a time limit of its own.
 */
const patienceMs = 120_000
/** For how many files this process remembers that no thumbnail could be made, so that further requests are refused at once. */
const failuresKept = 2_000

export function createThumbnails({ db, files, workers, folder, log }: Parts): Thumbnails {
  const making = new Map<string, Promise<Uint8Array>>()
  const failed = new Map<string, string>()
  /** Files of which one attempt failed, perhaps for a reason outside the picture. If a second one fails too, it is the picture. */
  const doubted = new Map<string, string>()
  const limits = { most: atOnce, mostWaiting, waitMs: patienceMs, turnMs: patienceMs }
  const turns = createTurns({ ...limits, what: 'thumbnails are being made, and others wait' })

  const make = async (file: StoredFile): Promise<Uint8Array> => {
    const { digest } = file
    if (file.size > pictureLimits.bytes) throw noThumbnail(file, `It has more than ${pictureLimits.bytes} bytes.`)
    const patience = AbortSignal.timeout(patienceMs)
    const work = async () => workers.thumbnail(await buffer(await files.read(file)), patience)
    const bytes = await inTurn(turns, work).catch((error: unknown) => {
      const isFirst = isUncertain(error) && !doubted.has(digest)
      if (isFirst) remember(doubted, digest, error.message)
      if (isFirst || (isTemporary(error) && !isUncertain(error)))
        throw new Refusal('overloaded', 'The thumbnail cannot be made now; ask again in a moment.')
      if (!(error instanceof NodeFailure)) throw error
      remember(failed, digest, error.message)
      throw noThumbnail(file, error.message)
    })
    doubted.delete(digest)
    // The folder is only a cache: if the disk is full, the thumbnail is made again at the next request.
    await folder.keep(digest, bytes).catch((error: unknown) => log.warn({ err: error }, 'a thumbnail was not kept'))
    return bytes
  }

  return {
    async read(file) {
      const { digest, media_type } = file
      if (!media_type.startsWith('image/')) throw noThumbnail(file, `It is ${media_type}.`)
      const failure = failed.get(digest)
      if (failure !== undefined) throw noThumbnail(file, failure)
      const found = await folder.find(digest)
      if (found) return found
      const begun = making.get(digest)
      if (begun) return begun
      const made = make(file).finally(() => making.delete(digest))
      making.set(digest, made)
      return made
    },
    sweep: () =>
      folder.sweep(async (digests) => {
        const rows = await db
          .selectFrom('files')
          .select('digest')
          .where('digest', 'in', [...digests])
          .execute()
        return new Set(rows.map(({ digest }) => digest))
      }),
  }
}

const noThumbnail = ({ digest }: StoredFile, why: string): Refusal =>
  new Refusal('not_found', `The file ${digest} has no thumbnail. ${why}`)

function remember(failed: Map<string, string>, digest: string, why: string): void {
  const [oldest] = failed.keys()
  if (failed.size >= failuresKept && oldest !== undefined) failed.delete(oldest)
  failed.set(digest, why)
}
