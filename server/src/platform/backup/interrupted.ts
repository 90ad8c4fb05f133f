// In charge of where a restore of an embedded database works and what it keeps, and of noticing a restore that was interrupted.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../operator-error.ts'
import { stampOf } from './stamps.ts'

const before = 'pg-before-'

/** The folder in which a restore unpacks and checks a database. It is like a data folder: the database is in `pg`. */
export const restoringFolder = (dataDir: string): string => join(dataDir, 'restoring')

/** The folder in which a restore keeps the database that it replaces. */
export const asideFolder = (dataDir: string): string => join(dataDir, before + stampOf(new Date()))

/**
 * Throws if a restore left databases in a data folder that has no `pg`. A new, empty database in its place would look like the loss
 * of everything, and would hide that all of it is still there.
 */
export function refuseAfterInterrupted(dataDir: string): void {
  const aside = readdirSync(dataDir)
    .filter((name) => name.startsWith(before))
    .toSorted()
    .map((name) => join(dataDir, name))
  const unpacked = join(restoringFolder(dataDir), 'pg')
  const left = [...aside, ...(existsSync(unpacked) ? [unpacked] : [])]
  if (left.length === 0) return
  throw new OperatorError(wordsFor(join(dataDir, 'pg'), left, aside.at(-1)))
}

function wordsFor(folder: string, left: readonly string[], newest: string | undefined): string {
  const back = newest === undefined ? '' : `  mv ${newest} ${folder}    goes back to what was there before\n`
  return (
    `There is no database in ${folder}, but a restore has left ${left.join(' and ')}: it was broken off, or the database was moved ` +
    `away since. No new database is made beside that.\n\n${back}` +
    '  npm run restore -- --snapshot latest (or --from <backup>)    restores again\n\n' +
    `To begin with an empty database, move ${left.join(' and ')} to another folder.`
  )
}
