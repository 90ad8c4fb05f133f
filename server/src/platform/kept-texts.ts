// In charge of JSON texts that the database stores, so that a text which is read often is built only once per change. One
// definition generates everything: the triggers that maintain the texts, and the SQL that fills in, checks and repairs texts.
// docs/decisions/0029-kept-texts.md explains the design.
import { CompiledQuery } from 'kysely'
import type { Database, Db } from './db.ts'

type Made = {
  /** The table from whose rows the texts are built, and the alias that the SQL expressions use for a row. */
  of: 'tasks' | 'creatives'
  alias: 't' | 'c'
  /** The SQL expression of each stored text, by column name. An expression uses only one row of the table `of`. */
  values: Readonly<Record<string, string>>
  /** An SQL condition; only rows that meet it have a text. */
  holds: string
}

/** Texts that are stored in a separate table, whose key is the id of the row from which they are built. */
export type KeptBeside = Made & { table: 'task_cards'; key: 'task_id' }
/** A text that is stored in a column of the row from which it is built. */
export type KeptWithin = Made & { column: 'lookup_text' }
export type KeptText = KeptBeside | KeptWithin

/** Returns the columns from which a text is built, in the order of their first use in the expressions. */
function columnsOf({ alias, values, holds }: Made): string[] {
  const named = [...Object.values(values), holds].join(' ').matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))
  return [...new Set([...named].flatMap(([, column]) => column ?? []))]
}

/**
 * Returns SQL that ends a trigger early if no column that the text is built from has changed; the trigger then returns `leave`. The
 * columns are compared byte by byte, because equal JSON numbers can be written differently. The check is not in a `when` clause,
 * because pg_dump writes such a clause in a form that pg_restore refuses.
 */
function unlessChanged(made: Made, leave: string): string {
  const row = (which: string) =>
    `row(${columnsOf(made)
      .map((column) => `${which}.${column}`)
      .join(', ')})::record`
  return `if tg_op = 'UPDATE' then
    if not (${row('old')}
      *<> ${row('new')}) then return ${leave}; end if;
  end if;`
}

const listOf = ({ values }: Made): string => Object.values(values).join(', ')

/** Returns the SQL for a migration that makes the database maintain a text, even if older versions of the service write rows. */
export const triggersOf = (kept: KeptText): string[] => ('table' in kept ? triggersBeside(kept) : triggersWithin(kept))

/** The triggers are `after` triggers, because generated columns have no value before the row is written. */
function triggersBeside(kept: KeptBeside): string[] {
  const { table, key, of, alias, values, holds } = kept
  const names = Object.keys(values)
  const trigger = (when: string) =>
    `create trigger ${table}_${when} after ${when} on ${of} for each row execute function keep_${table}()`
  return [
    `create function keep_${table}() returns trigger language plpgsql as $$
begin
  ${unlessChanged(kept, 'null')}
  if tg_op = 'DELETE' then
    delete from ${table} where ${key} = old.id;
  else
    insert into ${table} (${key}, ${names.join(', ')})
    select ${alias}.id, ${listOf(kept)}
    from ${of} ${alias} where ${alias}.id = new.id and ${holds}
    on conflict (${key}) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')};
  end if;
  return null;
end $$`,
    trigger('insert'),
    trigger('update'),
    trigger('delete'),
  ]
}

function triggersWithin(kept: KeptWithin): string[] {
  const { column, of, alias, holds } = kept
  const trigger = (when: string) =>
    `create trigger ${of}_${column}_${when} before ${when} on ${of} for each row execute function keep_${column}()`
  return [
    `create function keep_${column}() returns trigger language plpgsql as $$
begin
  ${unlessChanged(kept, 'new')}
  new.${column} := (select case when ${holds} then ${listOf(kept)} end from (select new.*) as ${alias});
  return new;
end $$`,
    trigger('insert'),
    trigger('update'),
  ]
}

/** The most rows per SQL statement when texts are filled in, so that rows stay locked only for some tens of milliseconds. */
const batch = 2_000
const nil = '00000000-0000-0000-0000-000000000000'

/**
 * Returns SQL for two parts of the query in `fillKept`: `due` selects the rows of `looked` that lack a text, and `filled` builds
 * these texts. Locked rows are skipped without waiting, because the transaction that has locked a row writes its text too.
 */
const fillSql = (kept: KeptText): string => {
  const { of, alias, holds } = kept
  if ('table' in kept) {
    const { table, key, values } = kept
    return `due as materialized (
        select ${alias}.id from ${of} ${alias} join looked on looked.id = ${alias}.id
        where ${holds} and not exists (select from ${table} k where k.${key} = ${alias}.id) for no key update of ${alias} skip locked
      ),
      filled as (
        insert into ${table} (${key}, ${Object.keys(values).join(', ')})
        select ${alias}.id, ${listOf(kept)} from ${of} ${alias} join due on due.id = ${alias}.id
        on conflict (${key}) do nothing returning 1
      )`
  }
  return `due as materialized (
      select ${alias}.id from ${of} ${alias} join looked on looked.id = ${alias}.id
      where ${holds} and ${alias}.${kept.column} is null for no key update of ${alias} skip locked
    ),
    filled as (
      update ${of} ${alias} set ${kept.column} = ${listOf(kept)} from due where due.id = ${alias}.id returning 1
    )`
}

/**
 * Builds the texts of rows that have none because they are older than the triggers. Works in the order of ids, one batch per SQL
 * statement; returns the number of texts that were built.
 */
export async function fillKept(database: Database, kept: KeptText, stopping?: AbortSignal): Promise<number> {
  const text = `
    with looked as materialized (select id from ${kept.of} where id > $1::uuid order by id limit ${batch}),
    ${fillSql(kept)}
    select (select count(*)::integer from filled) as filled, (select id from looked order by id desc limit 1) as last`
  let filled = 0
  let after = nil
  for (;;) {
    const [row] = await run<{ filled: number; last: string | null }>(database.main, text, [after])
    filled += row?.filled ?? 0
    if (!row?.last || stopping?.aborted) return filled
    after = row.last
  }
}

export type KeptFault = { id: string; what: 'differs' | 'missing' | 'of no row' }

/**
 * Compares the stored texts with newly built ones, in one snapshot, and returns at most `most` differences. A missing text is built
 * when it is read, so it is reported only if `missingToo` is set.
 */
export async function faultsOf(db: Db, kept: KeptText, { most = 100, missingToo = false } = {}): Promise<KeptFault[]> {
  const { of, alias, values, holds } = kept
  const names = Object.keys(values).map((name) => `k.${name}`)
  const isMissing = 'table' in kept ? `k.${kept.key} is null` : `k.${kept.column} is null`
  const keptRows =
    'table' in kept
      ? `select * from ${kept.table}`
      : `select id, ${kept.column} from ${of} where ${kept.column} is not null`
  const found = await run<{ id: string; what: KeptFault['what'] }>(
    db,
    `select coalesce(m.id, k.${'table' in kept ? kept.key : 'id'}) as id,
       case when ${isMissing} then 'missing' when m.id is null then 'of no row' else 'differs' end as what
     from (select ${alias}.id, array[${listOf(kept)}] as texts from ${of} ${alias} where ${holds}) as m
     full join (${keptRows}) as k on k.${'table' in kept ? kept.key : 'id'} = m.id
     where (m.id is null or ${isMissing} or m.texts is distinct from array[${names.join(', ')}])
       and (${missingToo} or not coalesce(${isMissing}, false))
     order by 1 limit ${most}`,
    [],
  )
  return found
}

/** Builds the texts of the rows with these ids again, and removes texts that should not exist. */
export async function repairKept(tx: Db, kept: KeptText, ids: readonly string[]): Promise<void> {
  const { of, alias, values, holds } = kept
  // The rows are locked first, as in every write: only a transaction that has locked a row may write the row's text.
  await run(tx, `select id from ${of} where id = any($1::uuid[]) order by id for no key update`, [ids])
  if (!('table' in kept)) {
    const made = `case when ${holds} then ${listOf(kept)} end`
    return void (await run(tx, `update ${of} ${alias} set ${kept.column} = ${made} where id = any($1::uuid[])`, [ids]))
  }
  await run(tx, `delete from ${kept.table} where ${kept.key} = any($1::uuid[])`, [ids])
  await run(
    tx,
    `insert into ${kept.table} (${kept.key}, ${Object.keys(values).join(', ')})
     select ${alias}.id, ${listOf(kept)} from ${of} ${alias} where ${alias}.id = any($1::uuid[]) and ${holds}`,
    [ids],
  )
}

const run = async <T>(db: Db, text: string, values: readonly unknown[]): Promise<T[]> =>
  (await db.executeQuery<T>(CompiledQuery.raw(text, [...values]))).rows
