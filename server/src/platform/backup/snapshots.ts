// In charge of snapshots, which are copies of the embedded database at one moment; the newest few are kept in the data folder.
// Stored files are not part of a snapshot, because the bytes of a file never change.
import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db.ts'
import { pack } from './tools.ts'

/** `takenAt` is a date-time in UTC. */
export type Snapshot = { name: string; path: string; takenAt: string }

const folderOf = (dataDir: string): string => join(dataDir, 'snapshots')
const form = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.tar\.gz$/

/** Formats a time for the names of snapshots and backups. The text has no colons, because some file systems do not allow them. */
export const stampOf = (moment: Date): string => moment.toISOString().replaceAll(':', '-')

/**
 * Returns the snapshots in a data folder, oldest first. Those of the future, taken while the clock was wrong, come before all others:
 * how old they are is not known, and none of them may be taken for the newest.
 */
export function snapshotsIn(dataDir: string): Snapshot[] {
  const folder = folderOf(dataDir)
  if (!existsSync(folder)) return []
  const now = new Date().toISOString()
  const found = readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const [, day, hour, minute, second] = form.exec(name) ?? []
      return day === undefined ? [] : [{ name, path: join(folder, name), takenAt: `${day}${hour}:${minute}:${second}` }]
    })
  return [...found.filter(({ takenAt }) => takenAt > now), ...found.filter(({ takenAt }) => takenAt <= now)]
}

/**
 * Takes snapshots one at a time. After each one, removes the oldest until `kept` are left (at least one). Processes need no lock
 * for this, because only one process uses the data folder of an embedded database.
 */
export function createSnapshots(database: Database, dataDir: string, kept: number) {
  let last: Promise<unknown> = Promise.resolve()
  const take = async (): Promise<Snapshot> => {
    const { copyFolder } = database
    if (!copyFolder) throw new Error('Only an embedded database in a folder has snapshots.')
    const folder = folderOf(dataDir)
    const making = join(folder, 'making')
    await rm(making, { recursive: true, force: true })
    await mkdir(making, { recursive: true, mode: 0o700 })
    const name = `${stampOf(new Date())}.tar.gz`
    try {
      await copyFolder(join(making, 'pg'))
      await pack(join(making, 'pg'), join(making, name))
      await chmod(join(making, name), 0o600)
      await rename(join(making, name), join(folder, name))
    } finally {
      await rm(making, { recursive: true, force: true })
    }
    const all = snapshotsIn(dataDir)
    for (const { path } of all.slice(0, Math.max(0, all.length - Math.max(1, kept)))) await rm(path, { force: true })
    const taken = all.find((one) => one.name === name)
    if (!taken) throw new Error(`The snapshot ${name} is gone.`)
    return taken
  }
  return {
    take: (): Promise<Snapshot> => {
      const next = last.then(take, take)
      last = next.catch(() => undefined)
      return next
    },
    /** Takes a snapshot if there is none, if the newest is older than `everySeconds`, or if all are of the future. */
    takeIfDue: async (everySeconds: number): Promise<void> => {
      const newest = snapshotsIn(dataDir).at(-1)
      const age = newest ? Date.now() - Date.parse(newest.takenAt) : Infinity
      if (age > everySeconds * 1000 || age < 0) await take()
    },
  }
}
export type Snapshots = ReturnType<typeof createSnapshots>
