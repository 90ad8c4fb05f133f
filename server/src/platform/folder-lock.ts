// In charge of locking an embedded database's folder: two processes that use one folder would lose each other's rows.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError, wordsOf } from './operator-error.ts'

/** Thrown if another process uses the folder. `who`: which process that is; the message says in addition what to do for a service. */
export class FolderInUse extends OperatorError {
  readonly who: string

  constructor(folder: string, holder: string) {
    const who = `The embedded database in ${folder} is open in ${holder}. It takes one process only:`
    super(
      `${who} stop that one, set ATELIER_DATA_DIR to another folder, or set DATABASE_URL to a PostgreSQL server, which any ` +
        'number of processes can share.',
    )
    this.who = who
  }
}

export type FolderLock = {
  release(): void
  /** Returns false if the lock file is gone from the folder, which means that the folder was removed, moved or replaced. */
  isThere(): boolean
}

/**
 * Creates the folder, which only its owner can read, if it does not exist, and locks it. Throws `FolderInUse`, or an `OperatorError`
 * that says why the folder cannot be used. SQLite is used to take a lock of the operating system, which ends with its process, even
 * if the process is killed. A file with a process id would not be enough: such a file can be outdated, and two processes that start
 * at the same time could both find it outdated and use the folder.
 */
export function lockFolder(folder: string): FolderLock {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return takeLock(folder)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    const why = wordsOf(error)
    throw new OperatorError(`The folder ${folder} (ATELIER_DATA_DIR) cannot be used: ${why}.`, { cause: error })
  }
}

function takeLock(folder: string): FolderLock {
  const holderPath = join(folder, 'atelier.pid')
  const lockPath = join(folder, 'atelier.lock')
  const lock = new DatabaseSync(lockPath)
  try {
    // With a journal in memory nothing is written to the disk, so that the folder can be locked, and backed up, when the disk is full.
    lock.exec('pragma journal_mode = memory')
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)) throw error
    throw new FolderInUse(folder, readHolder(holderPath))
  }
  writeHolder(holderPath)
  const inodeOf = () => statSync(lockPath, { throwIfNoEntry: false })?.ino
  const inode = inodeOf()
  return { release: () => lock.close(), isThere: () => inodeOf() === inode }
}

const sqliteBusy = 5

/** Says who has the lock, for the message to others. The lock holds without it, such as on a full disk. */
function writeHolder(path: string): void {
  try {
    writeFileSync(path, `process ${process.pid} on ${hostname()}`)
  } catch {
    // Then the message is about “another process”.
  }
}

function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8') || 'another process'
  } catch {
    return 'another process' // the process has the lock but has not written its id yet
  }
}
