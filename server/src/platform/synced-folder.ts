// In charge of the folder of the embedded PostgreSQL. The folder is mounted as in PGlite, with two additions: the `fsync` operation,
// which PGlite leaves out and which durable commits need, and the end of the process if the write-ahead log cannot be written.
// PostgreSQL itself decides what to sync and when: the log before it acknowledges a commit and before it writes the data pages that
// the log describes, and the data before a checkpoint moves the point where recovery starts.
import { fdatasyncSync, fsyncSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { ifMissing } from './byte-store.ts'
import { endProcess } from './embedded-end.ts'

/** The members of Emscripten's types for files and folders that are used here. */
type Node = { mode: number }
type OpenFile = { nfd: number; node: Node }
type Write = (file: OpenFile, ...given: [bytes: Uint8Array, offset: number, length: number, position: number]) => number
type Operations = {
  stream_ops: { fsync?: (file: OpenFile) => number; write: Write }
  node_ops: { mknod(folder: Node, name: string, ...given: [mode: number, device: number]): Node }
  realPath(node: Node): string
}
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

/**
 * Ends the process, because this file or folder of the log cannot be written. PGlite would report that once, and then never return
 * from the next statement. Nothing that was acknowledged is lost.
 */
const endWithoutLog = (path: string, cause: unknown): never =>
  endProcess(
    `${path} cannot be written (${reasonOf(cause)}). Nothing that was acknowledged is lost. Make room on its disk, or mend it, and ` +
      'start again.',
  )

/** The numbers that WASI gives to errors of a disk. */
const errors: Readonly<Record<number, string>> = {
  19: 'the quota is used up',
  22: 'the file would be too large',
  29: 'the disk cannot be read or written',
  51: 'the disk is full',
  69: 'the disk is read-only',
}

function reasonOf(cause: unknown): string {
  if (cause instanceof Error && cause.cause instanceof Error) return cause.cause.message
  return errorOf(cause) ?? String(cause)
}
const errorOf = (cause: unknown): string | undefined => errors[Number(Reflect.get(Object(cause), 'errno'))]

export class SyncedFolder extends NodeFS {
  readonly #isSynced: boolean

  /** `isSynced`: whether PostgreSQL can sync files. Only false if PostgreSQL was started with syncing off (`isFast`). */
  constructor(folder: string, isSynced = true) {
    super(folder)
    this.#isSynced = isSynced
  }

  override async init(...given: Mounting): ReturnType<NodeFS['init']> {
    const mounted = await super.init(...given)
    mounted.emscriptenOpts.preRun?.push((module) => this.prepare(module))
    return mounted
  }

  /** Called before PostgreSQL reads anything in the folder. */
  protected prepare(module: Module): void {
    const { stream_ops: streams, node_ops: nodes, realPath } = operationsOf(module)
    const [write, mknod] = [streams.write, nodes.mknod]
    if (this.#isSynced) {
      // If any file cannot be synced, PostgreSQL stops, because it does not know what the disk then holds.
      streams.fsync = (file) =>
        orElse(
          () => sync(module, file),
          (cause) => endWithoutLog(realPath(file.node), cause),
        )
    }
    streams.write = (file, ...given) =>
      orElse(
        () => write(file, ...given),
        (cause) => {
          const path = realPath(file.node)
          if (isOfLog(path)) endWithoutLog(path, cause)
        },
      )
    nodes.mknod = (folder, name, ...given) =>
      orElse(
        () => mknod(folder, name, ...given),
        (cause) => {
          const path = realPath(folder)
          // With too many open files, PostgreSQL closes some of its own and tries again.
          if (isOfLog(path) && errorOf(cause) !== undefined) endWithoutLog(path, cause)
        },
      )
  }
}

/** Whether PostgreSQL must be able to write to this path: to its log, and to the file in which it says where the log begins. */
const isOfLog = (path: string): boolean => /\/pg_wal$|\/pg_wal\/|\/global\/pg_control$/.test(path)

function orElse<T>(work: () => T, failed: (cause: unknown) => void): T {
  try {
    return work()
  } catch (cause) {
    failed(cause)
    throw cause
  }
}

/** Returns the operations of Emscripten's file system for folders on disk, which Emscripten's own types do not declare. */
export const operationsOf = (module: Module): Operations => module.NODEFS as unknown as Operations

/** Syncs an open file or folder. */
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
