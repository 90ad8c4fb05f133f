// In charge of what an installation starts from, for tests that run it as processes: a folder and, on PostgreSQL, a database.
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { databaseFolder } from '../../src/platform/embedded.ts'
import { createDatabase, engine } from './harness.ts'

export type Installation = { settings: Record<string, string>; drop(): Promise<void> }

/**
 * The settings of an installation in this folder that nobody has started yet. `migrated`: its database has the schema and no
 * row, which spares a first start most of its processor time; `empty`: there is no database, as on a new machine.
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

/** Puts the migrated embedded database of the project into the data folder. */
async function unpackSnapshot(dataDir: string): Promise<void> {
  const folder = databaseFolder(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // PGlite writes its entries with a leading slash, which tar leaves out, with a word about it.
  await promisify(execFile)('tar', ['-xf', inject('embeddedSnapshot'), '-C', folder, '--no-same-owner'])
}
