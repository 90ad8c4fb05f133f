// In charge of the embedded databases of tests: when a test closes its database, the database is emptied and the next test uses it.
// Loading a database takes most of a second of processor time; emptying one takes a twentieth of that.
import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { inject } from 'vitest'
import type { DatabaseDriver } from '../../src/platform/db.ts'
import { engineOf } from '../../src/platform/embedded.ts'

/** A loaded database, and its schema and rows before any test wrote to it. */
type Loaded = { pglite: PGlite; schema: string; rows: readonly TableRows[]; sequences: string }
type TableRows = { name: string; rows: string }

/** Databases of this Vitest process that no test is using. */
const idle: Loaded[] = []

/** Returns a driver for a migrated, empty embedded database in memory. */
export async function pooledEngine(): Promise<DatabaseDriver> {
  const loaded = idle.pop() ?? (await load())
  return engineOf(lend(loaded))
}

/** The migrated database in PGlite's file format, for a test that needs a database for itself. */
export const migratedSnapshot = async (): Promise<Blob> => new Blob([await readFile(inject('embeddedSnapshot'))])

async function load(): Promise<Loaded> {
  const pglite = await PGlite.create({ loadDataDir: await migratedSnapshot() })
  const rows: TableRows[] = []
  for (const { name } of await filledTables(pglite)) {
    const [found] = (await pglite.query<{ rows: string }>(`select json_agg(t)::text as rows from ${name} t`)).rows
    if (found) rows.push({ name, rows: found.rows })
  }
  return { pglite, schema: await schemaOf(pglite), rows, sequences: await sequencesOf(pglite) }
}

/**
 * A wrapper of the database for one test. After `close`, this test can no longer use the database, which then returns to the pool
 * for the next test. If a transaction is still open or the schema has changed, the database is really closed instead.
 */
function lend(loaded: Loaded): PGlite {
  const { pglite } = loaded
  let isClosed = false
  let transactions = 0
  const channels = new Set<string>()
  const own: Partial<Record<keyof PGlite, unknown>> = {
    listen: (channel: string, onNotice: (payload: string) => void) => {
      channels.add(channel)
      return pglite.listen(channel, onNotice)
    },
    transaction: async (work: Parameters<PGlite['transaction']>[0]) => {
      transactions += 1
      try {
        return await pglite.transaction(work)
      } finally {
        transactions -= 1
      }
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      if (transactions === 0 && (await empty(loaded, channels).catch(() => false))) idle.push(loaded)
      else await pglite.close()
    },
  }
  return new Proxy(pglite, {
    get(_, key) {
      if (key === 'closed') return isClosed || pglite.closed
      const found = own[key as keyof PGlite] ?? Reflect.get(pglite, key, pglite)
      if (typeof found !== 'function') return found
      return (...given: unknown[]) => {
        if (isClosed && key !== 'close') throw new Error('PGlite is closed')
        return found.apply(pglite, given)
      }
    },
  })
}

/** Restores the rows and sequences that the database was loaded with. If the schema has changed, does nothing and returns false. */
async function empty({ pglite, schema, rows, sequences }: Loaded, channels: Iterable<string>): Promise<boolean> {
  for (const channel of channels) await pglite.unlisten(channel)
  await pglite.exec('discard all')
  if ((await schemaOf(pglite)) !== schema) return false
  const tables = await filledTables(pglite)
  await pglite.exec('set session_replication_role = replica')
  // To truncate gives each table, index and TOAST table a new file, and `cascade` reaches nearly all tables, which takes a quarter of
  // a second. To delete a few rows takes a fiftieth of that, but leaves their space in use. So only grown tables are truncated, and
  // analyzed ones, because their statistics would change the plans of the next test.
  const worn = tables.filter((table) => table.pages > 8 || table.isAnalyzed)
  if (worn.length > 0) await pglite.exec(`truncate ${worn.map(({ name }) => name).join(', ')} cascade`)
  await pglite.exec(tables.map(({ name }) => `delete from ${name}`).join(';'))
  for (const { name, rows: kept } of rows)
    await pglite.query(
      `insert into ${name} overriding system value select * from json_populate_recordset(null::${name}, $1)`,
      [kept],
    )
  await pglite.query(
    `select setval(s.name, s.last, s.used) from json_to_recordset($1) as s(name regclass, last bigint, used boolean)`,
    [sequences],
  )
  await pglite.exec('reset session_replication_role')
  return true
}

/** The tables that have rows, or had some that were deleted since. */
const filledTables = async (pglite: PGlite): Promise<{ name: string; pages: number; isAnalyzed: boolean }[]> =>
  (
    await pglite.query<{ name: string; pages: number; isAnalyzed: boolean }>(`
      select oid::regclass::text as name, (pg_relation_size(oid) / 8192)::int as pages, reltuples >= 0 as "isAnalyzed" from pg_class
      where relkind = 'r' and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
        and pg_relation_size(oid) > 0 order by oid`)
  ).rows

const sequencesOf = async (pglite: PGlite): Promise<string> => {
  const { rows } = await pglite.query<{ name: string; last: number; start: number }>(`
    select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name, last_value::int as last, start_value::int as start
    from pg_sequences`)
  return JSON.stringify(rows.map(({ name, last, start }) => ({ name, last: last ?? start, used: last !== null })))
}

/** A text that changes whenever anything in the schema changes, functions and triggers included. */
const schemaOf = async (pglite: PGlite): Promise<string> => {
  const catalogs = [
    'proc',
    'trigger',
    'constraint',
    'attrdef',
    'index',
    'attribute',
    'type',
    'namespace',
    'authid',
    'rewrite',
  ]
  const parts = catalogs.map((name) => `(select count(*) || '/' || max(xmin::text::bigint) from pg_${name})`)
  const [row] = (
    await pglite.query<{ schema: string }>(
      `select concat_ws(' ', ${parts.join(', ')}, (select count(*) || '/' || max(oid::bigint) from pg_class),
        (select count(*) from pg_db_role_setting)) as schema`,
    )
  ).rows
  return row?.schema ?? ''
}
