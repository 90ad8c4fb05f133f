// In charge of protecting the data folder, which contains signing keys and all records, from other users of the machine.
import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError, wordsOf } from './operator-error.ts'

/**
 * Makes the folder and its direct entries accessible to their owner only, which also protects everything inside the entries. A
 * missing folder is ignored. Returns the paths that other users can still access; this happens if the file system stores no
 * permissions.
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
    // These errors are ignored here; if there is a real problem, the code that opens the folder next reports it.
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'EACCES'].includes(String(error.code)))
      return []
    throw error
  }
}

/** Restricts a path to its owner; returns false if other users can still access the path. */
function close(folder: string, path: string): boolean {
  const found = statOf(path, path === folder)
  // A link is left alone: the operator made it on purpose, and the mode of a link has no effect.
  if (found === null || found.isSymbolicLink() || !(found.isDirectory() || found.isFile())) return true
  if (isClosed(found)) return true
  try {
    chmodSync(path, found.isDirectory() ? 0o700 : 0o600)
  } catch (error) {
    // The path belongs to another user, who shares it with a group but not with everybody; that is intended.
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
  const why = wordsOf(error)
  return (
    `Others on this machine can get at ${path} (mode ${(mode & 0o7777).toString(8)}), in which secrets and records are kept, and this ` +
    `process may not change that: ${why}. As its owner, run\n\n  chmod -R go-rwx '${folder}'\n\n` +
    'or set ATELIER_DATA_DIR to a folder that this process makes itself, such as one inside it.'
  )
}
