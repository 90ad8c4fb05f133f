// Facts about which of several versions of PostgreSQL's client programs makes a backup and restores it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { postgresProgram } from './tools.ts'

let folder: string
const { PATH } = process.env
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-tools-'))
})
afterEach(() => {
  process.env.PATH = PATH
})
afterAll(() => rm(folder, { recursive: true }))

/** Writes programs of these versions, as Debian does into a folder for each version, and returns the folder above. */
async function debianWith(name: string, ...versions: number[]): Promise<string> {
  for (const version of versions) await programIn(join(folder, name, String(version), 'bin'), version)
  return join(folder, name)
}

async function programIn(bin: string, version: number): Promise<void> {
  await mkdir(bin, { recursive: true })
  const script = `#!/bin/sh\necho 'pg_dump (PostgreSQL) ${version}.2 (Debian ${version}.2-1)'\n`
  await writeFile(join(bin, 'pg_dump'), script, { mode: 0o700 })
}

/** Has a program of this version on the PATH, or none. */
async function onPath(version: number | null): Promise<void> {
  const bin = join(folder, `path-${version}`)
  if (version !== null) await programIn(bin, version)
  process.env.PATH = `${bin}:/bin`.replace(version === null ? ':/bin' : '', '')
}

test('the programs of the server are taken before newer ones, and before those on the PATH', async () => {
  const debian = await debianWith('all', 15, 16, 17)
  await onPath(17)
  expect(await postgresProgram('pg_dump', 16, debian)).toBe(join(debian, '16/bin/pg_dump'))
  expect(await postgresProgram('pg_dump', 18, debian)).toBe('pg_dump')
  await onPath(null)
  expect(await postgresProgram('pg_dump', null, debian)).toBe(join(debian, '17/bin/pg_dump'))
  expect(await postgresProgram('pg_dump', 18, join(folder, 'nothing'))).toBe('pg_dump')
})

test('a program from 17 on is refused for an older server, which could not take what it writes', async () => {
  const refusal =
    /^pg_dump here is that of PostgreSQL 17, and the server is PostgreSQL 16: .* install postgresql-client-16\)\.$/
  await onPath(17)
  await expect(postgresProgram('pg_dump', 16, join(folder, 'nothing'))).rejects.toThrow(refusal)
  await onPath(null)
  await expect(postgresProgram('pg_dump', 16, await debianWith('newer', 15, 17))).rejects.toThrow(refusal)
})

test('among others a newer program is taken', async () => {
  await onPath(16)
  expect(await postgresProgram('pg_dump', 15, join(folder, 'nothing'))).toBe('pg_dump')
  await onPath(18)
  expect(await postgresProgram('pg_dump', 17, join(folder, 'nothing'))).toBe('pg_dump')
})
