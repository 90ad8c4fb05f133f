// In charge of the folder with thumbnails, a cache that may be emptied at any time. A thumbnail is named after the digest of its
// original file. `sweep` keeps the folder within a limit in bytes: it removes the thumbnails that were viewed longest ago.
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { requireRoom } from '../../platform/disk-room.ts'

export type ThumbnailFolder = {
  find(digest: string): Promise<Uint8Array | null>
  /** Writes under a temporary name and then renames the file, so that no reader finds an incomplete thumbnail. */
  keep(digest: string, bytes: Uint8Array): Promise<void>
  /**
   * Removes thumbnails whose original files no longer exist, abandoned temporary files, and then as many other thumbnails as the
   * limit requires. `existing` receives digests, and returns those of them for which a file exists.
   */
  sweep(existing: (digests: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void>
}

/**
 * The modification time of a thumbnail tells when the thumbnail was last viewed. To save writes, a view sets the time only if it is
 * older than this many milliseconds.
 */
const noteMs = 24 * 3_600_000
/** A temporary file that is older than this many milliseconds was left behind by a process that died while writing it. */
const abandonedMs = 3_600_000
const batch = 1000

export function thumbnailFolder(root: string, limit: number): ThumbnailFolder {
  const folderOf = (digest: string) => join(root, digest.slice(0, 2))
  const pathOf = (digest: string) => join(folderOf(digest), `${digest}.webp`)
  return {
    async find(digest) {
      const path = pathOf(digest)
      try {
        const bytes = await readFile(path)
        const { mtimeMs } = await stat(path)
        const now = new Date()
        if (mtimeMs < now.getTime() - noteMs) await utimes(path, now, now)
        return bytes
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async keep(digest, bytes) {
      if (limit === 0) return
      const folder = folderOf(digest)
      const path = join(folder, uuidv7())
      await mkdir(folder, { recursive: true, mode: 0o700 })
      requireRoom(folder)
      await writeFile(path, bytes, { mode: 0o600 })
      await rename(path, pathOf(digest))
    },
    async sweep(existing) {
      const kept = await entriesOf(root)
      const there = new Set<string>()
      for (let at = 0; at < kept.length; at += batch) {
        const digests = kept.slice(at, at + batch).flatMap(({ digest }) => digest ?? [])
        if (digests.length > 0) for (const digest of await existing(digests)) there.add(digest)
      }
      for (const { path } of toRemove(kept, there, limit, Date.now())) await rm(path, { force: true })
    },
  }
}

/** A file in the folder. `digest` is null for a temporary file. `at` is the modification time, in milliseconds since 1970. */
type Entry = { path: string; digest: string | null; bytes: number; at: number }

/**
 * Returns the files to remove: abandoned temporary files, thumbnails whose original files no longer exist, and then the thumbnails
 * that were viewed longest ago, until the limit (in bytes) is met. Pure.
 */
function toRemove(
  entries: readonly Entry[],
  existing: ReadonlySet<string>,
  limit: number,
  now: number,
): readonly Entry[] {
  const isGone = ({ digest, at }: Entry) => (digest === null ? at < now - abandonedMs : !existing.has(digest))
  const gone = entries.filter(isGone)
  const rest = entries.filter((entry) => entry.digest !== null && !isGone(entry)).toSorted((a, b) => a.at - b.at)
  let bytes = rest.reduce((sum, entry) => sum + entry.bytes, 0)
  const old = rest.filter((entry) => {
    if (bytes <= limit) return false
    bytes -= entry.bytes
    return true
  })
  return [...gone, ...old]
}

async function entriesOf(root: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const folder of await namesIn(root)) {
    for (const name of await namesIn(join(root, folder))) {
      const path = join(root, folder, name)
      const found = await stat(path).catch((error: unknown) => {
        if (isMissing(error)) return null
        throw error
      })
      const digest = name.endsWith('.webp') ? name.slice(0, -'.webp'.length) : null
      if (found) entries.push({ path, digest, bytes: found.size, at: found.mtimeMs })
    }
  }
  return entries
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })

/** `ENOTDIR`: a file where a folder should be, such as the `.DS_Store` of a file manager. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
