// In charge of `csv.parse`: reads a table from a file or a text, as rows by column name.
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { CsvError, parse } from 'csv-parse'
import Type from 'typebox'
import { defineNode, File, gives, Rows, TextList, takes } from './define.ts'
import { NodeFailure, type NodeFiles } from './node-type.ts'

const limits = { bytes: 5_000_000, rows: 10_000, columns: 200 } as const
const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const

export const csvParse = defineNode({
  type: 'csv.parse',
  title: 'Read a table',
  summary: 'Turns a pasted sheet or a CSV file into rows that other nodes can run once for each of.',
  group: 'data',
  help: `
Paste cells from a spreadsheet and change them in place, or lead a CSV file to it.

The first line names the columns; every further line is a row: \`{{ row.headline }}\` in a template is its column
*headline*. Spreadsheets save such files as “CSV UTF-8”. The delimiter is found out by itself.

A line with too many or too few values stops the node and is named, so that nothing shifts by a column unseen.
At most ${limits.rows} rows, ${limits.columns} columns and ${limits.bytes / 1_000_000} MB.`,
  params: {
    delimiter: Type.Unsafe<'auto' | keyof typeof delimiters>({
      type: 'string',
      enum: ['auto', ...Object.keys(delimiters)],
      title: 'Delimiter',
      description: 'What stands between two values.',
      default: 'auto',
    }),
    numbers: Type.Boolean({
      title: 'Read numbers',
      description: 'Whether “29.9” becomes a number. Leave it off where ids or postcodes must stay as they are.',
      default: false,
    }),
  },
  inputs: {
    file: takes({ title: 'File', description: 'A CSV file; or lead a text to the other input.', schema: File }),
    text: takes({
      title: 'Table',
      description: 'Cells pasted from a spreadsheet, or the table as text, in place of a file.',
      schema: Type.String({ 'x-atelier': 'table' }),
    }),
  },
  outputs: {
    rows: gives('Rows', 'A row for each line, as values by column name.', Rows),
    columns: gives('Columns', 'The names of the columns, in order.', TextList),
    count: gives('Count', 'How many rows there are.', Type.Integer()),
  },
  pure: true,
  run: async ({ params, inputs: { file, text }, files }) => {
    if ((file === undefined) === (text === undefined)) {
      throw new NodeFailure('Lead either a file or a text to the node, not both and not neither.')
    }
    const table = text ?? (file ? await readTable(file, files) : '')
    const delimiter = params.delimiter === 'auto' ? guessDelimiter(table) : delimiters[params.delimiter]
    const { columns, rows } = await rowsOf(table, delimiter, params.numbers)
    return { outputs: { rows, columns, count: rows.length }, message: `${rows.length} rows` }
  },
})

async function readTable(file: FileValue, files: NodeFiles): Promise<string> {
  if (file.size > limits.bytes) throw tooLarge(`The file has ${file.size} bytes; ${limits.bytes} is the most.`)
  const bytes = await files.read(file.digest)
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new NodeFailure('The file is not UTF-8 text. In the spreadsheet, save it as “CSV UTF-8”.', { cause })
  }
}

/** The delimiter that occurs most often in the first line, outside quotes. */
function guessDelimiter(table: string): string {
  const counts = new Map<string, number>(Object.values(delimiters).map((mark) => [mark, 0]))
  let isQuoted = false
  for (const character of table.slice(0, 65_536)) {
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\n' && !isQuoted) break
    else if (!isQuoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ','
}

/** Parses the table in pieces and yields to the event loop between them, because a table may be large. */
async function rowsOf(table: string, delimiter: string, withNumbers: boolean) {
  if (table.length > limits.bytes) {
    throw tooLarge(`The table has ${table.length} characters; ${limits.bytes} is the most.`)
  }
  const parser = parse({ delimiter, bom: true, skip_empty_lines: true, trim: true, to: limits.rows + 2 })
  Readable.from(piecesOf(table)).pipe(parser)
  let columns: string[] | null = null
  const rows: Record<string, unknown>[] = []
  try {
    for await (const line of parser) {
      const cells: string[] = line
      if (columns === null) {
        checkColumns(cells)
        columns = cells
      } else rows.push(Object.fromEntries(columns.map((name, at) => [name, readCell(cells[at] ?? '', withNumbers)])))
    }
  } catch (error) {
    throw error instanceof CsvError ? new NodeFailure(wordsOf(error), { cause: error }) : error
  }
  if (columns === null) throw new NodeFailure('The table is empty: its first line must name the columns.')
  if (rows.length > limits.rows) throw tooLarge(`The table has more than ${limits.rows} rows.`)
  return { columns, rows }
}

/** With `withNumbers`, a cell that is written like a number becomes a number. Text such as the id 007 stays text. */
const readCell = (cell: string, withNumbers: boolean): string | number =>
  withNumbers && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(cell) ? Number(cell) : cell

async function* piecesOf(text: string) {
  const size = 65_536
  for (let at = 0; at < text.length; at += size) {
    await setImmediate()
    yield text.slice(at, at + size)
  }
}

const tooLarge = (why: string) => new NodeFailure(`${why} Split the table.`)

function checkColumns(columns: readonly string[]): void {
  if (columns.length > limits.columns)
    throw tooLarge(`Line 1 names ${columns.length} columns; ${limits.columns} is the most.`)
  const unnamed = columns.indexOf('')
  if (unnamed >= 0) throw new NodeFailure(`Line 1: column ${unnamed + 1} has no name.`)
  const twice = columns.find((name, at) => columns.indexOf(name) < at)
  if (twice !== undefined) throw new NodeFailure(`Line 1: two columns are called “${twice}”.`)
}

function wordsOf(error: CsvError): string {
  const line = Number(Reflect.get(error, 'lines')) || 1
  switch (error.code) {
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH': {
      const cells: unknown = Reflect.get(error, 'record')
      const columns = /expect (\d+)/.exec(error.message)?.[1] ?? 'another number of'
      return `Line ${line} has ${Array.isArray(cells) ? cells.length : 'other'} values, and the first line names ${columns} columns. Is a comma not in quotes, or is a line broken in two?`
    }
    case 'CSV_QUOTE_NOT_CLOSED':
      return `A quote opens and never closes. The table ends in line ${line}.`
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
      return `Line ${line}: a quote stands in the middle of a value. Write it twice, and put the value in quotes.`
    default:
      return `Line ${line}: ${error.message}`
  }
}
