// In charge of snapshots, which are copies of the embedded database at one moment; the newest few are kept in the data folder.
// Stored files are not part of a snapshot, because the bytes of a file never change.
import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ifMissing } from '../byte-store.ts'
import type { Database } from '../db.ts'
import { momentOf, oldestFirst, stampOf } from './stamps.ts'
import { pack } from './tools.ts'

/** `takenAt` is a date-time in UTC. */
export type Snapshot = { name: string; path: string; takenAt: string }

const folderOf = (dataDir: string): string => join(dataDir, 'snapshots')
const ending = '.tar.gz'

/** A copy for a backup has a name of its own, so that it never counts as a snapshot and pushes none of them out. */
const forBackup = 'for-backup-'
/** The copy of a backup whose command died is removed at the next backup, once no other backup can still be about to read it. */
const abandonedMs = 3_600_000

/** Whether a path is that of a copy which was made for a backup, and which the backup removes once it has read it. */
export const isForBackup = (path: string): boolean => basename(path).startsWith(forBackup)

/** Returns the snapshots in a data folder, in the order of `oldestFirst`. */
export function snapshotsIn(dataDir: string): Snapshot[] {
  const folder = folderOf(dataDir)
  if (!existsSync(folder)) return []
  const found = readdirSync(folder).flatMap((name) => {
    const takenAt = name.endsWith(ending) ? momentOf(name.slice(0, -ending.length)) : null
    return takenAt === null ? [] : [{ name, path: join(folder, name), takenAt }]
  })
  return oldestFirst(found)
}

/**
 * Takes snapshots, and copies for backups, one at a time. After each snapshot, removes the oldest until `kept` are left (at least
 * one). Processes need no lock for this, because only one process uses the data folder of an embedded database.
 */
export function createSnapshots(database: Database, dataDir: string, kept: number) {
  const folder = folderOf(dataDir)
  let last: Promise<unknown> = Promise.resolve()
  /** Calls `work` once all earlier calls have ended. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
  /** Copies the database into a new file in the folder of the snapshots, and returns the path of that file. */
  const copyAs = async (name: string): Promise<string> => {
    const { copyFolder } = database
    if (!copyFolder) throw new Error('Only an embedded database in a folder has snapshots.')
    const making = join(folder, 'making')
    await rm(making, { recursive: true, force: true })
    await mkdir(making, { recursive: true, mode: 0o700 })
    try {
      await copyFolder(join(making, 'pg'))
      await pack(join(making, 'pg'), join(making, name))
      await chmod(join(making, name), 0o600)
      await rename(join(making, name), join(folder, name))
    } finally {
      await rm(making, { recursive: true, force: true })
    }
    return join(folder, name)
  }
  const take = async (): Promise<Snapshot> => {
    const path = await copyAs(`${stampOf(new Date())}${ending}`)
    const all = snapshotsIn(dataDir)
    for (const one of all.slice(0, Math.max(0, all.length - Math.max(1, kept)))) await rm(one.path, { force: true })
    const taken = all.find((one) => one.path === path)
    if (!taken) throw new Error(`The snapshot ${path} is gone.`)
    return taken
  }
  /** Removes the copies for backups that are older than `olderThanMs`. */
  const removeCopies = async (olderThanMs: number): Promise<void> => {
    const paths = (await readdir(folder).catch(ifMissing<string[]>([]))).map((name) => join(folder, name))
    for (const path of paths.filter(isForBackup)) {
      const found = await stat(path).catch(ifMissing(null))
      if (found && found.mtimeMs <= Date.now() - olderThanMs) await rm(path, { force: true })
    }
  }
  return {
    take: (): Promise<Snapshot> => inTurn(take),
    /** Makes a copy for a backup, which has to remove the file once it has read it, and returns its path. */
    copyForBackup: (): Promise<string> =>
      inTurn(async () => {
        await removeCopies(abandonedMs)
        return copyAs(`${forBackup}${stampOf(new Date())}${ending}`)
      }),
    /** Removes the copies of backups whose commands died. Called at the start, when no backup of this service can be under way. */
    removeAbandoned: (): Promise<void> => inTurn(() => removeCopies(0)),
    /** Takes a snapshot if there is none, if the newest is older than `everySeconds`, or if all are of the future. */
    takeIfDue: async (everySeconds: number): Promise<void> => {
      const newest = snapshotsIn(dataDir).at(-1)
      const age = newest ? Date.now() - Date.parse(newest.takenAt) : Infinity
      if (age > everySeconds * 1000 || age < 0) await inTurn(take)
    },
  }
}
export type Snapshots = ReturnType<typeof createSnapshots>
