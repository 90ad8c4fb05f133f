// In charge of the table that a person edits at a gate: which values are tables, what may stand in a column, and changes of rows. Pure.
import { isFileValue, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { readNumber } from '../ui/number-text.ts'
import { cellText } from './shapes.ts'

export type Row = Readonly<Record<string, unknown>>
export type Rows = readonly Row[]

/**
 * What the values of a column are; `mixed` if they are not of one kind. Where some values are missing or null, the others count.
 */
type ColumnKind = 'text' | 'number' | 'boolean' | 'mixed'
export type Column = { name: string; kind: ColumnKind }

/** The most cells that are edited as rows and columns. Each change writes all of them, and a page with more fields would be slow. */
export const cellsAtMost = 5_000

/** Whether a value is a table: a list of objects that are no files. */
const isTable = (value: unknown): value is Rows =>
  Array.isArray(value) && value.every((row) => isPlainObject(row) && !isFileValue(row))

/** The rows of a value that a gate asks about; null if it is no table, or a table without rows or columns. */
export const rowsOf = (value: unknown): Rows | null =>
  isTable(value) && value.some((row) => Object.keys(row).length > 0) ? value : null

/** The rows in a JSON text; null if there is no table in it. The table may have lost all of its rows. */
export function rowsIn(text: string): Rows | null {
  try {
    const value: unknown = JSON.parse(text)
    return isTable(value) ? value : null
  } catch {
    return null
  }
}

/** The JSON of rows, written as the JSON of any value at a gate: so rows that are as they were are the text as it was. */
export const textOfRows = (rows: Rows): string => JSON.stringify(rows, null, 2)

/**
 * The columns of a table that is being edited. What may stand in them follows from the rows that the gate asks about, since a cell that
 * is being edited may hold anything; in columns that the user has added as JSON, from these.
 */
export function columnsOf(asked: Rows, rows: Rows): Column[] {
  const before = namesIn(asked)
  const added = [...namesIn(rows)].filter((name) => !before.has(name))
  return [
    ...[...before].map((name) => ({ name, kind: kindIn(asked, name) })),
    ...added.map((name) => ({ name, kind: kindIn(rows, name) })),
  ]
}

const namesIn = (rows: Rows): Set<string> => new Set(rows.flatMap((row) => Object.keys(row)))

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined

function kindIn(rows: Rows, name: string): ColumnKind {
  const kinds = new Set(
    rows
      .map((row) => valueIn(row, name))
      .filter((value) => !isNothing(value))
      .map((value) => typeof value),
  )
  const [kind = 'string', ...others] = kinds
  if (others.length > 0) return 'mixed'
  return kind === 'number' || kind === 'boolean' ? kind : kind === 'string' ? 'text' : 'mixed'
}

/** The value in a column of a row; undefined if the row has none. */
export const valueIn = (row: Row, name: string): unknown => (Object.hasOwn(row, name) ? row[name] : undefined)

/** Lists, objects and files are shown, and changed as JSON. */
export const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null

/** The text that a cell shows. */
export const textOfCell = (value: unknown): string => cellText(value)

/**
 * The value that is typed or pasted over the value `before`. A number stays a number as long as a number is typed. What does not fit the
 * column stays a text, with a problem. `undefined`: the row has no such value, and had none before.
 */
export function readCell(typed: string, before: unknown, kind: ColumnKind): unknown {
  if (typed === '' && isNothing(before)) return before
  const wanted = kind === 'mixed' ? typeof before : kind
  if (wanted !== 'number' && wanted !== 'boolean') return typed
  if (typed.trim() === '') return null
  const read = wanted === 'number' ? numberIn(typed) : truthIn(typed)
  return read ?? typed
}

function numberIn(typed: string): number | undefined {
  const { value } = readNumber(typed)
  return Number.isFinite(value) ? value : undefined
}

function truthIn(typed: string): boolean | undefined {
  const word = typed.trim().toLowerCase()
  return word === 'true' || word === 'false' ? word === 'true' : undefined
}

/** What is wrong with the value of a cell; null if nothing is. */
export function cellProblem(value: unknown, kind: ColumnKind): string | null {
  if (typeof value !== 'string' || kind === 'text' || kind === 'mixed') return null
  if (kind === 'boolean') return `“${value}” is neither true nor false.`
  return readNumber(value).problem === null
    ? `“${value}” is not a number.`
    : `${value.trim()} has too many digits for a number.`
}

export type Problem = { row: number; column: number; words: string }

/** All cells with a problem, row by row. */
export const problemsIn = (rows: Rows, columns: readonly Column[]): Problem[] =>
  rows.flatMap((cells, row) =>
    columns.flatMap(({ name, kind }, column) => {
      const words = cellProblem(valueIn(cells, name), kind)
      return words === null ? [] : [{ row, column, words: `Row ${row + 1}, “${name}”: ${words}` }]
    }),
  )

export const withCell = (rows: Rows, at: number, name: string, value: unknown): Rows =>
  rows.map((row, index) => (index === at ? rowWith(row, name, value) : row))

function rowWith(row: Row, name: string, value: unknown): Row {
  if (value !== undefined) return { ...row, [name]: value }
  return Object.fromEntries(Object.entries(row).filter(([other]) => other !== name))
}

/** A new row has every column: the nodes that follow may need each of them. */
const newRow = (columns: readonly Column[]): Row =>
  Object.fromEntries(columns.map(({ name, kind }) => [name, kind === 'text' ? '' : null]))

export const withNewRow = (rows: Rows, columns: readonly Column[]): Rows => [...rows, newRow(columns)]
export const withoutRow = (rows: Rows, at: number): Rows => rows.filter((_, index) => index !== at)
export const withRowBack = (rows: Rows, at: number, row: Row): Rows => rows.toSpliced(at, 0, row)

type Place = { row: number; column: number }
/** `first` and `count`: the rows that were pasted into. `leftOut`: how many cells found no place. */
type Pasted = { rows: Rows; first: number; count: number; leftOut: number }

/**
 * Puts pasted cells into the table, from a cell on to the right and downwards, with new rows as needed. Cells beyond the last column, or
 * that would replace a list or an object, are left out. So is a first line that only repeats the names of the columns.
 */
export function withPasted(
  rows: Rows,
  columns: readonly Column[],
  { row, column }: Place,
  lines: readonly string[][],
): Pasted {
  const places = columns.slice(column)
  const isHead = lines.length > 1 && lines[0]?.every((cell, at) => cell.trim() === places[at]?.name)
  const body = isHead ? lines.slice(1) : lines
  let leftOut = 0
  const into = (before: Row, cells: readonly string[]): Row =>
    cells.reduce((filled, cell, at) => {
      const place = places[at]
      const value = place && valueIn(before, place.name)
      if (place && !isNested(value)) return rowWith(filled, place.name, readCell(cell, value, place.kind))
      if (cell !== '') leftOut += 1
      return filled
    }, before)
  const filled = body.map((cells, at) => into(rows[row + at] ?? newRow(columns), cells))
  return { rows: rows.toSpliced(row, filled.length, ...filled), first: row, count: filled.length, leftOut }
}
