// In charge of one migrated embedded database for the `embedded` test project: created once, loaded by every test file.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { TestProject } from 'vitest/node'
import { createQueue } from '../../src/engine/store/queue.ts'
import { type Database, openDatabase } from '../../src/platform/db.ts'
import { engineOf } from '../../src/platform/embedded.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    embeddedSnapshot: string
  }
}

let folder = ''

/** Vitest's global setup. Test files load this snapshot in a fraction of a second, while creating a database takes seconds. */
export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-snapshot-'))
  const pglite = await PGlite.create()
  const database = openDatabase(engineOf(pglite))
  await prepare(database)
  await dropTemplates(pglite)
  const migrated = await pglite.dumpDataDir('none')
  await database.close()
  const file = path.join(folder, 'migrated.tar')
  await writeFile(file, Buffer.from(await migrated.arrayBuffer()))
  project.provide('embeddedSnapshot', file)
}

/** Drops PostgreSQL's template databases, which no service needs; the snapshot then loads in two thirds of the time. */
async function dropTemplates(pglite: PGlite): Promise<void> {
  for (const name of ['template0', 'template1']) {
    await pglite.exec(`update pg_database set datistemplate = false where datname = '${name}'`)
    await pglite.exec(`drop database ${name}`)
  }
  await pglite.exec('checkpoint')
}

/** Prepares a new database as a service does before it can accept requests. */
export async function prepare(database: Database): Promise<void> {
  await migrate(database)
  const queue = createQueue(database, createLog('silent'))
  await queue.start(false)
  await queue.stop()
}

export async function teardown(): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
