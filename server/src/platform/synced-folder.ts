// In charge of durable commits in the embedded PostgreSQL: its folder is mounted as PGlite does, plus the `fsync` operation that
// PGlite leaves out. PostgreSQL itself decides what to sync and when: the log before it acknowledges a commit and before the
// data pages that the log describes; the data before a checkpoint moves the starting point of recovery.
import { fdatasyncSync, fsyncSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { ifMissing } from './byte-store.ts'

/** The members of Emscripten's open files that are used here. */
type OpenFile = { nfd: number; node: { mode: number } }
type Operations = { fsync?: (file: OpenFile) => number }
export type Mounting = Parameters<NodeFS['init']>
export type Module = Parameters<NonNullable<Mounting[1]['preRun']>[number]>[0]

/**
 * PGlite starts PostgreSQL with `-F`, which turns syncing off. PGlite's default method to sync the log, `fdatasync`, does
 * nothing in WebAssembly; `fsync` is passed on to the file system.
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

  /** Called before PostgreSQL reads anything from the folder. */
  protected prepare(module: Module): void {
    operationsOf(module).stream_ops.fsync = (file) => sync(module, file)
  }
}

/** The operations of Emscripten's file system for folders on disk; its TypeScript types do not declare them. */
export const operationsOf = (module: Module): { stream_ops: Operations } =>
  module.NODEFS as unknown as { stream_ops: Operations }

/** A failure is thrown to PostgreSQL, which then stops, because it could otherwise lose data. */
function sync(module: Module, { nfd, node }: OpenFile): number {
  try {
    if (module.FS.isDir(node.mode)) fsyncSync(nfd)
    else fdatasyncSync(nfd)
    return 0
  } catch (cause) {
    throw Object.assign(new module.FS.ErrnoError(ioError), { cause })
  }
}
/** The number of the error `EIO` in WASI. */
const ioError = 29

/** Several syncs at the same time are faster than one after the other. */
const syncedAtOnce = 16

/**
 * Syncs everything in a folder: files from initdb, a backup or a snapshot, and files of a process that did not sync. Takes about
 * 0.1 s if everything is on the disk already, 1 s if nothing is.
 */
export async function syncAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const kept = entries.filter((entry) => entry.isFile() || entry.isDirectory())
  const paths = [folder, ...kept.map(({ parentPath, name }) => join(parentPath, name))].values()
  const lane = async (): Promise<void> => {
    for (const path of paths) await syncPath(path) // all lanes take from the same iterator
  }
  await Promise.all(Array.from({ length: syncedAtOnce }, lane))
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(ifMissing(null)) // the database may have removed the file meanwhile
  await handle?.sync().finally(() => handle.close())
}
