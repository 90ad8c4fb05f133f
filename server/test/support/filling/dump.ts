// In charge of writing a filled database as data that both database engines can load: rows as JSON text, with the files.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { CompiledQuery } from 'kysely'
import {
  readSequence,
  rowTexts,
  type SequenceState,
  sequencesOf,
  type Table,
  tablesOf,
} from '../../../src/platform/copy.ts'
import { openDatabase } from '../../../src/platform/db.ts'
import { embeddedEngine } from '../../../src/platform/embedded.ts'

export type Dump = {
  /** The rows of `schema_migrations`, with the columns that this table has in the dumped version. */
  migrations: { number: number; name: string; checksum: string }[]
  tables: (Table & { rows: string[] })[]
  sequences: (SequenceState & { name: string })[]
  /** The bytes of the stored files as base64, by their path in the folder of files. */
  files: Record<string, string>
}

/** Dumps the database and the files of a data folder that no process uses. The schema is dumped as it is, without migrations. */
export async function dump(dataDir: string): Promise<Dump> {
  const database = openDatabase(await embeddedEngine(dataDir))
  const rowsOf = async (query: string): Promise<string[]> => {
    const { rows } = await database.main.executeQuery<{ row: string }>(CompiledQuery.raw(query))
    return rows.map(({ row }) => row)
  }
  const migrations = await rowsOf('select row_to_json(m)::text as row from schema_migrations m order by number')
  const tables: Dump['tables'] = []
  for (const table of await tablesOf(database.main)) {
    const rows = await rowsOf(rowTexts(table))
    if (rows.length > 0) tables.push({ ...table, rows })
  }
  const sequences: Dump['sequences'] = []
  for (const name of await sequencesOf(database.main)) {
    const state = await readSequence(database.main, name)
    if (state) sequences.push({ name, ...state })
  }
  await database.close()
  return { migrations: migrations.map((row) => JSON.parse(row)), tables, sequences, files: await filesOf(dataDir) }
}

async function filesOf(dataDir: string): Promise<Record<string, string>> {
  const folder = path.join(dataDir, 'files')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: Record<string, string> = {}
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const file = path.join(entry.parentPath, entry.name)
    found[path.relative(folder, file)] = (await readFile(file)).toString('base64')
  }
  return found
}
