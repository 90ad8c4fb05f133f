// In charge of locking an embedded database's folder: two processes that use one folder would lose each other's rows.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from './operator-error.ts'

/** Thrown if another process uses the folder; the message explains what to do. */
export class FolderInUse extends OperatorError {}

export type FolderLock = {
  release(): void
  /** Returns false if the lock file is gone from the folder, which means that the folder was removed, moved or replaced. */
  isThere(): boolean
}

/**
 * Takes the lock or throws `FolderInUse`. SQLite is used to take a lock of the operating system, which ends with its process, even
 * if the process is killed. A file with a process id would not be enough: such a file can be outdated, and two processes that start
 * at the same time could both find it outdated and use the folder.
 */
export function lockFolder(folder: string): FolderLock {
  const holderPath = join(folder, 'atelier.pid')
  const lockPath = join(folder, 'atelier.lock')
  const lock = new DatabaseSync(lockPath)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)) throw error
    throw new FolderInUse(inUse(folder, readHolder(holderPath)))
  }
  writeFileSync(holderPath, `process ${process.pid} on ${hostname()}`)
  const inodeOf = () => statSync(lockPath, { throwIfNoEntry: false })?.ino
  const inode = inodeOf()
  return { release: () => lock.close(), isThere: () => inodeOf() === inode }
}

const sqliteBusy = 5

function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8') || 'another process'
  } catch {
    return 'another process' // the process has the lock but has not written its id yet
  }
}

function inUse(folder: string, holder: string): string {
  return (
    `The embedded database in ${folder} is open in ${holder}. It takes one process only: stop that one, set ` +
    'ATELIER_DATA_DIR to another folder, or set DATABASE_URL to a PostgreSQL server, which any number of processes can share.'
  )
}
