// In charge of running the programs that backups are made with: tar of the system, pg_dump and pg_restore of PostgreSQL.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../operator-error.ts'

const run = promisify(execFile)

/** Runs a program to its end; one that is missing, or that fails, is an `OperatorError` with what it said. */
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

/** Packs what a folder holds into a file, in a process of its own. */
export const pack = (folder: string, file: string): Promise<void> =>
  runTool('tar', ['-czf', file, '-C', folder, '.'], { missing: noTar })

/** Unpacks such a file into a folder that is there. */
export const unpack = (file: string, folder: string): Promise<void> =>
  runTool('tar', ['-xzf', file, '-C', folder], { missing: noTar })

/** All of a PostgreSQL database at one moment, in the format of pg_restore. */
export const dumpPostgres = (url: string, file: string): Promise<void> =>
  runPostgresTool('pg_dump', url, ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`])

/** Puts a dump into an empty database, all of it or nothing. */
export const restorePostgres = (url: string, file: string): Promise<void> =>
  runPostgresTool('pg_restore', url, ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error', file])

/** The password goes by the environment: arguments can be read by every user of the machine. */
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

/** By its name where a shell would find it; else where Debian keeps it beside the server. */
function installed(name: string): string {
  const onPath = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)))
  if (onPath || !existsSync(ofDebian)) return name
  const [newest] = readdirSync(ofDebian).toSorted((one, other) => Number(other) - Number(one))
  const there = newest === undefined ? name : join(ofDebian, newest, 'bin', name)
  return existsSync(there) ? there : name
}
