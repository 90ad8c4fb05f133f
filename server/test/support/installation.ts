// In charge of the initial state of an installation for tests that run it as processes: a folder and, on PostgreSQL, a database.
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { databaseFolder } from '../../src/platform/embedded.ts'
import { createDatabase, engine } from './harness.ts'

export type Installation = { settings: Record<string, string>; drop(): Promise<void> }

/**
 * Creates an installation in this folder that was never started, and returns its settings. `migrated`: the database has the schema
 * and no rows, which saves most of a first start's processor time; `empty`: the database has no schema, as on a new machine.
 */
export async function newInstallation(dataDir: string, how: 'empty' | 'migrated' = 'migrated'): Promise<Installation> {
  const settings = { ATELIER_DATA_DIR: dataDir }
  if (engine === 'postgres') {
    const { url, drop } = await createDatabase(undefined, how === 'migrated' ? inject('postgresTemplate') : undefined)
    return { settings: { ...settings, DATABASE_URL: url }, drop }
  }
  if (how === 'migrated') await unpackSnapshot(dataDir)
  return { settings, drop: async () => undefined }
}

/** Unpacks the test project's migrated embedded database into the data folder. */
async function unpackSnapshot(dataDir: string): Promise<void> {
  const folder = databaseFolder(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // The entries of PGlite's archive begin with a slash; tar removes the slash, and prints a warning that nobody reads.
  await promisify(execFile)('tar', ['-xf', inject('embeddedSnapshot'), '-C', folder, '--no-same-owner'])
}
