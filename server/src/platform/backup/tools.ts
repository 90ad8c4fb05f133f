// In charge of running the programs that make and restore backups: the system's tar, and PostgreSQL's pg_dump and pg_restore.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../operator-error.ts'

const run = promisify(execFile)

/**
 * Runs a program until it ends. Throws an `OperatorError`: with the text `missing` if there is no such program, and with the
 * program's error output if the program fails.
 */
async function runTool(
  tool: string,
  args: string[],
  { missing, env = {} }: { missing: string; env?: NodeJS.ProcessEnv },
) {
  try {
    await run(tool, args, { env: { ...process.env, ...env }, maxBuffer: 10_000_000 })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('code' in error && error.code === 'ENOENT') throw new OperatorError(missing)
    const said = 'stderr' in error ? String(error.stderr).trim() : ''
    throw new OperatorError(`${tool} failed: ${said || error.message}`, { cause: error })
  }
}

export const noTar = 'Backups need the program tar, which is not on this machine (Debian: apt install tar).'

/** Packs the content of a folder into a file, in a separate process. */
export const pack = (folder: string, file: string): Promise<void> =>
  runTool('tar', ['-czf', file, '-C', folder, '.'], { missing: noTar })

/** Unpacks a file of the kind that `pack` writes; the folder must exist. */
export const unpack = (file: string, folder: string): Promise<void> =>
  runTool('tar', ['-xzf', file, '-C', folder], { missing: noTar })

/** Dumps a whole PostgreSQL database, as it is at one moment, to a file in the format that pg_restore reads. */
export const dumpPostgres = (url: string, file: string): Promise<void> =>
  runPostgresTool('pg_dump', url, ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`])

/** Restores a dump into an empty database; after a failure, the database is still empty. */
export const restorePostgres = (url: string, file: string): Promise<void> =>
  runPostgresTool('pg_restore', url, ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error', file])

/** Runs a program of PostgreSQL with the password in the environment, because every user of the machine sees program arguments. */
function runPostgresTool(name: 'pg_dump' | 'pg_restore', url: string, args: string[]): Promise<void> {
  const address = new URL(url)
  const env = address.password === '' ? {} : { PGPASSWORD: decodeURIComponent(address.password) }
  address.password = ''
  return runTool(installed(name), [`--dbname=${address.href}`, ...args], {
    env,
    missing:
      `${name} is not on this machine. Install the client programs of PostgreSQL, not older than the server ` +
      '(Debian: apt install postgresql-client).',
  })
}

const ofDebian = '/usr/lib/postgresql'

/** Returns a program's name if the program is on the PATH; otherwise its path in Debian's folder for PostgreSQL's programs. */
function installed(name: string): string {
  const onPath = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)))
  if (onPath || !existsSync(ofDebian)) return name
  const [newest] = readdirSync(ofDebian).toSorted((one, other) => Number(other) - Number(one))
  const there = newest === undefined ? name : join(ofDebian, newest, 'bin', name)
  return existsSync(there) ? there : name
}
