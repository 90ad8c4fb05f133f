// In charge of reading tables from text that a spreadsheet copied or saved, and of writing them as CSV. Pure.
import { freeName } from './numbered-name.ts'

export type Table = { columns: string[]; rows: string[][] }

const marks = ['\t', ';', ',', '|'] as const

/** Reads a table. The first line contains the names of the columns; all rows get the same number of cells. */
export function tableOf(text: string): Table {
  const lines = linesOf(text.replace(/^\uFEFF/, ''), markOf(text)).filter((cells) => cells.some((cell) => cell !== ''))
  const [head = [], ...rest] = lines
  const width = Math.max(0, ...lines.map(({ length }) => length))
  const columns = Array.from({ length: width }, (_, at) => head[at] ?? '')
  return { columns: namesOf(columns), rows: rest.map((cells) => columns.map((_, at) => cells[at] ?? '')) }
}

/** Writes a table as CSV. `tableOf` of this text returns the same table, but drops empty rows and names unnamed columns. */
export const textOf = ({ columns, rows }: Table): string =>
  [columns, ...rows].map((cells) => cells.map(cellText).join(',')).join('\n')

/** Whether a text is a table: it has several lines, or several cells in its only line. */
export function isSheet(text: string): boolean {
  const lines = linesOf(text.trim(), markOf(text))
  return lines.length > 1 || (lines[0]?.length ?? 0) > 1
}

/**
 * Whether a text that is pasted into a table is to replace the table. One line without a tab is not: copied from elsewhere than a
 * spreadsheet, it may be a sentence with commas, meant for the cell into which it is pasted.
 */
export const replacesTable = (text: string): boolean => isSheet(text) && /[\t\n]/.test(text.trim())

/** Makes the names of the columns unique, because nodes refuse a table in which two columns have the same name. */
function namesOf(columns: readonly string[]): string[] {
  const taken = new Set<string>()
  return columns.map((name, at) => {
    const free = freeName(name === '' ? `column_${at + 1}` : name, taken)
    taken.add(free)
    return free
  })
}

const cellText = (cell: string): string => (/["\n\r,;\t|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Finds the character that separates cells: the one that occurs most often in the first line, outside quotes. */
function markOf(text: string): string {
  const [first = ''] = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/\r?\n/, 1)
  const counts = marks.map((mark) => ({ mark, count: first.split(mark).length - 1 }))
  return counts.toSorted((one, other) => other.count - one.count)[0]?.mark ?? ','
}

function linesOf(text: string, mark: string): string[][] {
  const lines: string[][] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    cells.push(cell.trim())
    cell = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else if (character === mark) endCell()
    else if (character === '\n') {
      endCell()
      lines.push(cells)
      cells = []
    } else cell += character
  }
  endCell()
  lines.push(cells)
  return lines
}
