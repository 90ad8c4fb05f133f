// In charge of what is printed when a command fails.
import { isFilesUnavailable } from '../platform/byte-store.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'

/** Error codes of causes that an operator can remove: a full or read-only disk, and a folder that another user owns. */
const ofDisk = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'])

/** Returns the sentence that says what to do, or the error itself if it is a bug: then its stack is printed too. */
export function sayFailure(error: unknown): unknown {
  if (error instanceof OperatorError) return error.message
  // A request's answer refers to the log, which a command does not have.
  if (isFilesUnavailable(error)) return `Files cannot be written or read: ${wordsOf(error.cause)}`
  return error instanceof Error && 'code' in error && ofDisk.has(String(error.code)) ? error.message : error
}
