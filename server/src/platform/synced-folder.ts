// In charge of having the embedded PostgreSQL's folder on the disk when PostgreSQL says that it is: the folder as PGlite mounts
// it, with the one operation that PGlite leaves out. PostgreSQL itself knows what to sync, and when: the log before a commit is
// acknowledged and before the data it speaks of, the data before a checkpoint names the place to begin from.
import { fdatasyncSync, fsyncSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { ifMissing } from './byte-store.ts'

/** What it needs of an open file of Emscripten's. */
type OpenFile = { nfd: number; node: { mode: number } }
type Operations = { fsync?: (file: OpenFile) => number }
export type Mounting = Parameters<NodeFS['init']>
export type Module = Parameters<NonNullable<Mounting[1]['preRun']>[number]>[0]

/**
 * PGlite starts PostgreSQL with `-F`, which turns syncing off. Its own way to sync the log, `fdatasync`, does nothing in
 * WebAssembly, where `fsync` is led to the file system.
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

  /** Before anything is read of the folder. */
  protected prepare(module: Module): void {
    operationsOf(module).stream_ops.fsync = (file) => sync(module, file)
  }
}

/** How Emscripten reaches folders of the disk; its types leave the operations out. */
export const operationsOf = (module: Module): { stream_ops: Operations } =>
  module.NODEFS as unknown as { stream_ops: Operations }

/** A failure is PostgreSQL's to judge: it stops rather than go on with what may be lost. */
function sync(module: Module, { nfd, node }: OpenFile): number {
  try {
    if (module.FS.isDir(node.mode)) fsyncSync(nfd)
    else fdatasyncSync(nfd)
    return 0
  } catch (cause) {
    throw Object.assign(new module.FS.ErrnoError(ioError), { cause })
  }
}
/** `EIO`, as WASI numbers it. */
const ioError = 29

/** The disk takes several together. */
const syncedAtOnce = 16

/**
 * Syncs all that is in a folder: what initdb wrote, what a backup or snapshot brought, and what a process that did not sync left
 * behind. Takes about 0.1 s where all of it is on the disk already, 1 s where nothing is.
 */
export async function syncAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const kept = entries.filter((entry) => entry.isFile() || entry.isDirectory())
  const paths = [folder, ...kept.map(({ parentPath, name }) => join(parentPath, name))].values()
  const lane = async (): Promise<void> => {
    for (const path of paths) await syncPath(path) // the lanes share one iterator
  }
  await Promise.all(Array.from({ length: syncedAtOnce }, lane))
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(ifMissing(null)) // the database may have removed it since
  await handle?.sync().finally(() => handle.close())
}
