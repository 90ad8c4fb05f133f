// In charge of durable commits in the embedded PostgreSQL: the database's folder is mounted as in PGlite, but with the `fsync`
// operation that PGlite leaves out. PostgreSQL itself decides what to sync and when: the log before it acknowledges a commit and
// before it writes the data pages that the log describes, and the data before a checkpoint moves the point where recovery starts.
import { fdatasyncSync, fsyncSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { ifMissing } from './byte-store.ts'

/** The members of Emscripten's type for open files that are used here. */
type OpenFile = { nfd: number; node: { mode: number } }
type Operations = { fsync?: (file: OpenFile) => number }
export type Mounting = Parameters<NodeFS['init']>
export type Module = Parameters<NonNullable<Mounting[1]['preRun']>[number]>[0]

/**
 * PGlite's start parameters, without the `-F` with which PGlite turns syncing off. The write-ahead log is synced with `fsync`,
 * which `SyncedFolder` provides; `fdatasync`, the default method of PGlite, does nothing in WebAssembly.
 */
export const syncedParams: string[] = [
  ...PGlite.defaultStartParams.filter((one) => one !== '-F'),
  ...['-c', 'wal_sync_method=fsync'],
]

export class SyncedFolder extends NodeFS {
  override async init(...given: Mounting): ReturnType<NodeFS['init']> {
    const mounted = await super.init(...given)
    mounted.emscriptenOpts.preRun?.push((module) => this.prepare(module))
    return mounted
  }

  /** Called before PostgreSQL reads anything in the folder. */
  protected prepare(module: Module): void {
    operationsOf(module).stream_ops.fsync = (file) => sync(module, file)
  }
}

/** Returns the operations of Emscripten's file system for folders on disk, which Emscripten's own types do not declare. */
export const operationsOf = (module: Module): { stream_ops: Operations } =>
  module.NODEFS as unknown as { stream_ops: Operations }

/** Syncs an open file or folder. If that fails, PostgreSQL gets the error and stops, because it could otherwise lose data. */
function sync(module: Module, { nfd, node }: OpenFile): number {
  try {
    if (module.FS.isDir(node.mode)) fsyncSync(nfd)
    else fdatasyncSync(nfd)
    return 0
  } catch (cause) {
    throw Object.assign(new module.FS.ErrnoError(ioError), { cause })
  }
}
/** The number that WASI gives to the error `EIO`. */
const ioError = 29

/** How many syncs run at the same time, which is faster than one after the other. */
const syncedAtOnce = 16

/**
 * Syncs everything in a folder: files that initdb, a backup or a snapshot has written, and files of an earlier process with fast
 * commits, which did not sync. This takes about 0.1 s if everything is on the disk already, and 1 s if nothing is.
 */
export async function syncAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const kept = entries.filter((entry) => entry.isFile() || entry.isDirectory())
  const paths = [folder, ...kept.map(({ parentPath, name }) => join(parentPath, name))].values()
  const lane = async (): Promise<void> => {
    for (const path of paths) await syncPath(path) // each of the parallel loops takes its next path from the same iterator
  }
  await Promise.all(Array.from({ length: syncedAtOnce }, lane))
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(ifMissing(null)) // the database may have removed the file meanwhile
  await handle?.sync().finally(() => handle.close())
}
