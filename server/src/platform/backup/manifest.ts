// In charge of writing and reading the manifest of a backup, and of finding and checking backups.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Enumeration, Nullable } from '@atelier/contract/wire/schema.ts'
import Type from 'typebox'
import { OperatorError, wordsOf } from '../operator-error.ts'
import { compileValidator } from '../validation.ts'

const name = 'manifest.json'

const Manifest = Type.Object({
  /** The version of the manifest's format. */
  format: Type.Literal(1),
  /** When the backup began, as a date-time in UTC. The copy shows the database at one moment, then or shortly afterwards. */
  moment: Type.String(),
  /** The Atelier version that made the backup. */
  version: Type.String(),
  database: Type.Object({
    kind: Enumeration(['embedded', 'postgres']),
    file: Type.String(),
    bytes: Type.Integer(),
    sha256: Type.String(),
  }),
  files: Type.Object({ count: Type.Integer(), bytes: Type.Integer() }),
  /**
   * The migrations of a PostgreSQL database, by which `restore` decides whether this version can work with the schema before it fills
   * a database. Manifests of 0.2.0 and before lack them. An embedded database is checked before it takes its place.
   */
  migrations: Type.Optional(
    Type.Array(
      Type.Object({
        number: Type.Integer(),
        name: Type.String(),
        checksum: Type.String(),
        release: Nullable(Type.String()),
        works_from: Nullable(Type.String()),
      }),
    ),
  ),
})
export type Manifest = Type.Static<typeof Manifest>
const problemsOf = compileValidator(Manifest, 'body')
const isManifest = (value: unknown): value is Manifest => problemsOf(value).errors.length === 0

/** Returns the path of the folder with a backup's stored files. */
export const filesOf = (backup: string): string => join(backup, 'files')

/** Describes the backup's database file for the manifest. */
export async function describeDatabase(backup: string, kind: Manifest['database']['kind'], file: string) {
  const path = join(backup, file)
  return { kind, file, bytes: (await stat(path)).size, sha256: await sha256Of(path) }
}

export const writeManifest = (backup: string, manifest: Manifest): Promise<void> =>
  writeFile(join(backup, name), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })

export const hasManifest = (folder: string): boolean => existsSync(join(folder, name))

/** Reads the manifest of the backup in a folder. */
export function readManifest(backup: string): Manifest {
  const manifest = parsed(backup)
  if (!isManifest(manifest)) {
    throw new OperatorError(`The ${name} of ${backup} is none that this version of Atelier can read.`)
  }
  return manifest
}

function parsed(backup: string): unknown {
  try {
    return JSON.parse(readFileSync(join(backup, name), 'utf8'))
  } catch (error) {
    throw new OperatorError(`The backup has no whole ${name} (${wordsOf(error)}): take another backup.`)
  }
}

/** Returns the path of a backup's database file; throws if the file is missing or differs from the manifest. */
export async function checkDatabase(backup: string, { database }: Manifest): Promise<string> {
  const path = join(backup, database.file)
  if (!existsSync(path) || (await sha256Of(path)) !== database.sha256) {
    throw new OperatorError(`${path} is missing or damaged: it is not what the manifest says. Take another backup.`)
  }
  return path
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
