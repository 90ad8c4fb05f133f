// In charge of passing rows of values, or a list of keys, to a kept SQL statement.
//
// A statement that reads arrays or JSON takes any number of rows, but PostgreSQL needs longer to begin it than to execute a
// simple statement. Saving a run after one paid call took 1.8 ms of the server's processor time with arrays and JSON, and takes
// two thirds of that with single values. So a few rows are passed as single values, and more rows as arrays or JSON. The
// statement's name says how they are passed.
import { type RawBuilder, sql } from 'kysely'
import { kept } from './db.ts'

type Value = string | number | boolean | object | null
type Row<Column extends string> = Readonly<Record<Column, Value>>

/** The highest number of rows that are passed as single values: enough to save a unit that has ended and the one that follows it. */
const fewRows = 2

/** `begin` makes the prefix that keeps a statement prepared under a name. `from`: the rows as SQL for the statement's `from`. */
export type Rows = { begin: (name: string) => RawBuilder<unknown>; from: RawBuilder<unknown> }

/**
 * Creates a function that returns rows for a statement, in which they have this alias. `types`: the SQL type of each column. The
 * values of columns of type `json` are passed as JSON.
 */
export function rowsAs<Column extends string>(
  alias: string,
  types: Readonly<Record<Column, string>>,
): (rows: readonly Row<NoInfer<Column>>[]) => Rows {
  const columns = Object.keys(types).filter((name): name is Column => name in types)
  const named = `${alias} (${columns.join(', ')})`
  const typed = `${alias} (${columns.map((column) => `${column} ${types[column]}`).join(', ')})`
  const hasJson = columns.some((column) => types[column] === 'json')
  const texts = Array.from({ length: fewRows + 1 }, (_, count) => textsFor(columns, types, count, named))
  const fewOf = (rows: readonly Row<Column>[]): Value[] | null => {
    if (rows.length === 0 || rows.length > fewRows) return null
    const values = rows.flatMap((row) => columns.map((column) => asSent(row[column], types[column])))
    // PostgreSQL would store a `json` value with the escape of NUL or of a lone surrogate, but could not read it afterwards.
    // `json_to_recordset` refuses both; so rows with `\u` escapes are passed through it, and not as single values.
    return hasJson && values.some((value) => typeof value === 'string' && value.includes('\\u')) ? null : values
  }
  return (rows) => {
    const [few, text] = [fewOf(rows), texts[rows.length]]
    const begin = (name: string) => sql.raw(kept(few ? `${name}_${rows.length}` : name))
    if (few && text) return { begin, from: sql(text, ...few) }
    if (hasJson) return { begin, from: sql`json_to_recordset(${JSON.stringify(rows)}::json) as ${sql.raw(typed)}` }
    const arrays = columns.map((column, at) => {
      const array = sql`${rows.map((row) => row[column])}::${sql.raw(`${types[column]}[]`)}`
      return at === 0 ? hidden(array) : array
    })
    return { begin, from: sql`unnest(${sql.join(arrays)}) as ${sql.raw(named)}` }
  }
}

/** The SQL texts between the values of `count` rows, as the template tag `sql` takes them. Made once per count and reused. */
function textsFor<Column extends string>(
  columns: readonly Column[],
  types: Readonly<Record<Column, string>>,
  count: number,
  named: string,
): TemplateStringsArray {
  const marks = Array.from({ length: count }, () => columns.map((column) => `?::${types[column]}`).join(', '))
  const texts = `(values (${marks.join('), (')})) as ${named}`.split('?')
  return Object.assign(texts, { raw: texts })
}

const asSent = (value: Value, type: string): Value =>
  type === 'json' && value !== null ? JSON.stringify(value) : value

/** `begin`: as in `Rows`. `is`: the comparison of a column with the keys. */
export type Keys = Pick<Rows, 'begin'> & { is: RawBuilder<unknown> }

/** Returns the comparison of a column of this type with keys, for a statement whose plan does not depend on the keys. */
export function keysOf(keys: readonly string[], type: 'text' | 'uuid' = 'text'): Keys {
  const [only, ...more] = keys
  if (only !== undefined && more.length === 0)
    return { begin: (name) => sql.raw(kept(`${name}_1`)), is: sql`= ${hidden(sql`${only}::${sql.raw(type)}`)}` }
  const array = sql.raw(`${type}[]`)
  return { begin: (name) => sql.raw(kept(name)), is: sql`= any(${hidden(sql`${[...keys]}::${array}`)}::${array})` }
}

/**
 * The right side of a comparison with any element of a parameter that is an array, for statements whose text is made by hand. The
 * array's length is hidden from the planner, for the reason given at `hidden`.
 */
export const anyOf = (parameter: string, type: string): string => `any((select ${parameter}::${type}[])::${type}[])`

/**
 * Hides a value, or the length of an array, from the planner. Otherwise PostgreSQL plans the statement anew each time if a plan for
 * the value looks cheaper than one for any value (0.1 to 0.8 ms each time; `pg_stat_statements.track_planning` shows it).
 */
const hidden = (value: RawBuilder<unknown>) => sql`(select ${value})`
