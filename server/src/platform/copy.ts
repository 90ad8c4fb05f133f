// In charge of copying a database into another with the same schema. One transaction copies all tables and checks the row counts.
import { CompiledQuery } from 'kysely'
import type { Database, Db } from './db.ts'

/** The most rows and the most bytes in one batch. Bytes are limited too, because a row that contains a graph can have megabytes. */
const batch = 500
const batchBytes = 64 * 1024 * 1024

/** Returns how many rows of a table fit into one batch; `longest` is the length in bytes of the table's longest row. */
export const rowsAtATime = (longest: number): number =>
  Math.min(batch, Math.max(1, Math.floor(batchBytes / Math.max(1, longest))))

/** Tables that are not copied, because triggers fill them during the copy or because their rows are valid in one database only. */
const left = [
  'task_counts',
  'task_cards',
  'directory_changes',
  'schema_migrations',
  'workers',
  'providers',
  'provider_claims',
]

/**
 * Tables that must be copied before another one without being referred to by it, since a trigger on that one adds rows to them
 * unless they are there already. A trigger on `creatives` adds unread rows to `file_marks`; what was read from the files is copied.
 * Triggers on `exports` and `review_takes` add rows to `run_creatives`; it also has rows of runs that were purged.
 */
const copiedBefore: Readonly<Record<string, string>> = {
  creatives: 'file_marks',
  exports: 'run_creatives',
  review_takes: 'run_creatives',
}

/**
 * Copies all rows and the state of all sequences; returns the number of rows of each table. Throws, and leaves the target as it
 * was, if a table has another number of rows in the target afterwards.
 */
export async function copyDatabase(source: Database, target: Database): Promise<Map<string, number>> {
  return source.tx(async (from) => {
    const tables = await tablesOf(from)
    const sequences = await sequencesOf(from)
    return target.tx(async (to) => {
      const counts = new Map<string, number>()
      for (const table of tables) {
        await copyTable(from, to, table)
        counts.set(table.name, await equalCount(from, to, table.name))
      }
      for (const name of sequences) {
        const state = await readSequence(from, name)
        if (state) await setSequence(to, name, state)
      }
      return counts
    })
  })
}

/** Returns the name of a table to be copied that has rows; null if all are empty, as they must be in the target of a copy. */
export async function anyRows(database: Database): Promise<string | null> {
  for (const { name } of await tablesOf(database.main)) {
    const rows = await run<{ there: boolean }>(database.main, `select exists (select 1 from "${name}") as there`)
    if (rows[0]?.there) return name
  }
  return null
}

export type Table = { name: string; columns: string[] }

/**
 * Returns the tables in an order in which their rows can be inserted: each table comes after the tables that it refers to, and after
 * the one in `copiedBefore`.
 */
export async function tablesOf(db: Db): Promise<Table[]> {
  const found = await run<Table & { refers_to: string[] }>(
    db,
    `select c.relname::text as name,
       array(select attname::text from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
       array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> k.conrelid) as refers_to
     from pg_class c where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind = 'r' order by 1`,
  )
  const waiting = found.filter(({ name }) => !left.includes(name))
  const ordered: Table[] = []
  const isWaiting = (name: string | undefined) => waiting.some((it) => it.name === name)
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ name, refers_to }) => ![...refers_to, copiedBefore[name]].some(isWaiting))
    if (next === -1) throw new Error(`Tables refer to each other in a circle: ${waiting.map(({ name }) => name)}.`)
    ordered.push(...waiting.splice(next, 1))
  }
  return ordered
}

const listOf = ({ columns }: Table): string => columns.map((column) => `"${column}"`).join(', ')

/** Returns a query for a table's rows as JSON text, which both databases read and write in the same way, whatever the driver. */
export const rowTexts = (table: Table): string =>
  `select row_to_json(t)::text as row from (select ${listOf(table)} from "${table.name}") as t`

/** Inserts rows that were read by a query of `rowTexts`. */
export async function addRows(to: Db, table: Table, texts: readonly string[]): Promise<void> {
  const insert = `insert into "${table.name}" (${listOf(table)}) overriding system value
    select ${listOf(table)} from json_populate_recordset(null::"${table.name}", $1::json)`
  await run(to, insert, [`[${texts.join(',')}]`])
}

async function copyTable(from: Db, to: Db, table: Table): Promise<void> {
  const texts = rowTexts(table)
  const [measured] = await run<{ longest: number | null }>(
    from,
    `select max(octet_length(row)) as longest from (${texts}) as x`,
  )
  const count = rowsAtATime(measured?.longest ?? 0)
  await run(from, `declare moving cursor for ${texts}`)
  for (;;) {
    const rows = await run<{ row: string }>(from, `fetch ${count} from moving`)
    if (rows.length === 0) break
    await addRows(
      to,
      table,
      rows.map(({ row }) => row),
    )
  }
  await run(from, 'close moving')
}

async function equalCount(from: Db, to: Db, table: string): Promise<number> {
  const count = async (db: Db) => (await run<{ n: number }>(db, `select count(*) as n from "${table}"`))[0]?.n ?? 0
  const [there, here] = [await count(from), await count(to)]
  if (there !== here) throw new Error(`Of ${there} rows of ${table} only ${here} arrived; nothing was changed.`)
  return here
}

/** Returns the names of the sequences that belong to a copied table or to no table. */
export async function sequencesOf(db: Db): Promise<string[]> {
  const found = await run<{ name: string }>(
    db,
    `select s.relname::text as name from pg_class s
     left join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass
     left join pg_class t on t.oid = d.refobjid
     where s.relnamespace = quote_ident(current_schema())::regnamespace and s.relkind = 'S' and (t.relname is null or t.relname <> all($1::text[]))`,
    [left],
  )
  return found.map(({ name }) => name)
}

export type SequenceState = { last: string; called: boolean }

export async function readSequence(db: Db, name: string): Promise<SequenceState | undefined> {
  return (await run<SequenceState>(db, `select last_value::text as last, is_called as called from "${name}"`))[0]
}

export async function setSequence(to: Db, name: string, { last, called }: SequenceState): Promise<void> {
  await run(to, 'select setval($1::regclass, $2::bigint, $3)', [name, last, called])
}

async function run<T>(db: Db, text: string, values: unknown[] = []): Promise<T[]> {
  return (await db.executeQuery<T>(CompiledQuery.raw(text, values))).rows
}
