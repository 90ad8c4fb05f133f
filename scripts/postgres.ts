// In charge of finding PostgreSQL's server programs on this machine, and of installing PostgreSQL if possible.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { installByApt } from './apt.ts'

const oldestSupported = 15

/** The folder that contains the programs of one PostgreSQL installation, and the major version of that installation. */
export interface PostgresPrograms {
  bin: string
  version: number
}

/** Finds the newest supported PostgreSQL in the system's folders, otherwise one on the PATH; null if there is none. */
export function findPostgres(): PostgresPrograms | null {
  const system = subfolders('/usr/lib/postgresql').flatMap((folder) => programsIn(path.join(folder, 'bin')))
  const newest = system.toSorted((a, b) => b.version - a.version)[0]
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  return newest ?? onPath.flatMap(programsIn)[0] ?? null
}

/** Installs PostgreSQL with apt. Returns null, or the reason why the installation failed. */
export const installPostgres = (): string | null => installByApt(['postgresql'], () => findPostgres() !== null)

function programsIn(bin: string): PostgresPrograms[] {
  if (!['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(path.join(bin, name)))) return []
  const answer = spawnSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  const version = Number(/ (\d+)/.exec(answer.stdout)?.[1])
  return version >= oldestSupported ? [{ bin, version }] : []
}

function subfolders(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : []
}
