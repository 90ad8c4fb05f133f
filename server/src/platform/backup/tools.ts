// In charge of running the programs that make and restore backups: the system's tar, and PostgreSQL's pg_dump and pg_restore.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../operator-error.ts'
import { libpqAddress } from './libpq-address.ts'

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

/** `major`: the major version of the server; null if it could not be read, because the server refuses us for example. */
export type PostgresServer = { url: string; major: number | null }

/** Dumps a whole PostgreSQL database, as it is at one moment, to a file in the format that pg_restore reads. */
export const dumpPostgres = (server: PostgresServer, file: string): Promise<void> =>
  runPostgresTool('pg_dump', server, ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`])

/** Restores a dump into an empty database; after a failure, the database is still empty. */
export const restorePostgres = (server: PostgresServer, file: string): Promise<void> =>
  runPostgresTool('pg_restore', server, [
    ...['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error', file],
  ])

type PostgresTool = 'pg_dump' | 'pg_restore'

/** Runs a program of PostgreSQL with the password in the environment, because every user of the machine sees program arguments. */
async function runPostgresTool(name: PostgresTool, { url, major }: PostgresServer, args: string[]): Promise<void> {
  const { address, env } = libpqAddress(url, process.env)
  const missing = `${name} is not on this machine. ${toInstall(major)}`
  await runTool(await postgresProgram(name, major), [`--dbname=${address}`, ...args], { env, missing })
}

const toInstall = (major: number | null): string =>
  `Install the client programs of PostgreSQL, of the server's major version (Debian: apt install postgresql-client${major === null ? '' : `-${major}`}).`

/** pg_restore of this version and of newer ones sets `transaction_timeout`, which servers of older versions refuse. */
const settingSince = 17

/**
 * Returns a program's name or path: that of the server's major version in Debian's folder for PostgreSQL's programs; otherwise the
 * one on the PATH, or else the newest in that folder. Throws if a dump that the program writes or reads could not be restored to a
 * server of this version.
 */
export async function postgresProgram(name: PostgresTool, major: number | null, ofDebian = '/usr/lib/postgresql') {
  const program = installed(name, major, ofDebian)
  if (major === null || major >= settingSince) return program
  // If the program is missing or fails, its use fails too, and says why.
  const said = await run(program, ['--version']).catch(() => null)
  const [, own] = /\(PostgreSQL\) (\d+)/.exec(said?.stdout ?? '') ?? []
  if (own === undefined || Number(own) < settingSince) return program
  throw new OperatorError(
    `${name} here is that of PostgreSQL ${own}, and the server is PostgreSQL ${major}: what it writes cannot be restored to such a ` +
      `server. ${toInstall(major)}`,
  )
}

function installed(name: PostgresTool, major: number | null, ofDebian: string): string {
  const inDebian = (version: string): string => join(ofDebian, version, 'bin', name)
  if (major !== null && existsSync(inDebian(String(major)))) return inDebian(String(major))
  const onPath = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)))
  if (onPath || !existsSync(ofDebian)) return name
  const newestFirst = readdirSync(ofDebian).toSorted((one, other) => Number(other) - Number(one))
  return newestFirst.map(inDebian).find((path) => existsSync(path)) ?? name
}
