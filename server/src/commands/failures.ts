// In charge of what is printed when a command fails.
import { isFilesUnavailable } from '../platform/byte-store.ts'
import { isUnavailable, sqlState } from '../platform/db.ts'
import { FolderInUse } from '../platform/folder-lock.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'

/** Causes that an operator can remove, by the code of the error. */
const ofDisk = new Map([
  ['ENOSPC', 'A disk is full'],
  ['EDQUOT', 'A disk has no room left for this user'],
  ['EROFS', 'A folder is on a disk that is mounted to be read only'],
  ['EACCES', 'This user may not get at a file or folder'],
])

/**
 * Returns the sentence that says what to do, or the error itself if it is a bug: then its stack is printed too. `command`: what has
 * failed.
 */
export function sayFailure(error: unknown, command = 'serve'): unknown {
  // Any other command is about the database in this very folder: another folder or database would be none of what it is to do.
  if (error instanceof FolderInUse && command !== 'serve') return `${error.who} stop that one, and say this again.`
  if (error instanceof OperatorError) return error.message
  // A request's answer refers to the log, which a command does not have.
  if (isFilesUnavailable(error)) return `Files cannot be written or read: ${wordsOf(error.cause)}`
  if (sqlState(error) !== null && isUnavailable(error))
    return `The database cannot do this just now: ${wordsOf(error)}. Start again when it can.`
  const cause = error instanceof Error && 'code' in error ? ofDisk.get(String(error.code)) : undefined
  return cause === undefined ? error : `${cause}: ${wordsOf(error)}.`
}
