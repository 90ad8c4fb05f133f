// In charge of closing the data folder to other users of the machine: it holds signing keys, and every record.
import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from './operator-error.ts'

/**
 * Makes the folder and what lies directly in it accessible to its owner only; what is deeper cannot be reached past it.
 * A folder that is not there yet is left to whoever makes it. Returns what stays open because the disk keeps no modes.
 */
export function closeDataFolder(folder: string): string[] {
  if (process.platform === 'win32') return []
  const inside = entriesOf(folder).map((name) => join(folder, name))
  return [folder, ...inside].filter((path) => !close(folder, path))
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    // Whoever opens it next says what is wrong, if anything is.
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'EACCES'].includes(String(error.code)))
      return []
    throw error
  }
}

/** Whether only its owner can get at it now. */
function close(folder: string, path: string): boolean {
  const found = statOf(path, path === folder)
  // A link inside leads to where the operator keeps it on purpose; its own mode means nothing.
  if (found === null || found.isSymbolicLink() || !(found.isDirectory() || found.isFile())) return true
  if (isClosed(found)) return true
  try {
    chmodSync(path, found.isDirectory() ? 0o700 : 0o600)
  } catch (error) {
    // Shared with a group by its owner, who is somebody else: that was meant.
    if ((found.mode & 0o007) === 0 && found.uid !== process.getuid?.()) return true
    throw new OperatorError(tooOpen(folder, path, found, error), { cause: error })
  }
  return isClosed(statSync(path))
}

const isClosed = ({ mode }: Stats): boolean => (mode & 0o077) === 0

function statOf(path: string, follow: boolean): Stats | null {
  return (follow ? statSync : lstatSync)(path, { throwIfNoEntry: false }) ?? null
}

function tooOpen(folder: string, path: string, { mode }: Stats, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error)
  return (
    `Others on this machine can get at ${path} (mode ${(mode & 0o7777).toString(8)}), in which secrets and records are kept, and this ` +
    `process may not change that: ${why}. As its owner, run\n\n  chmod -R go-rwx '${folder}'\n\n` +
    'or set ATELIER_DATA_DIR to a folder that this process makes itself, such as one inside it.'
  )
}
