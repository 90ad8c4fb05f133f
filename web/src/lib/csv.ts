// In charge of writing tables as CSV (RFC 4180), in such a way that no spreadsheet runs the text of a cell or spoils
// its digits.
import { download } from './download.ts'

/**
 * Digits that a spreadsheet would change if it read them as a number: it keeps only the first 15, drops zeros at the beginning, and
 * shows 12 or more as 2.38522E+11, which is also what it saves. They are written as the formula `="…"`, whose value is the text; an
 * apostrophe would be shown as a part of the cell.
 */
const isSpoilt = (text: string): boolean => /^(\d{12,}|0\d+)$/.test(text)

/**
 * A cell in CSV. If its text could be run as a formula, a leading apostrophe makes spreadsheets read it as text. Numbers stay numbers.
 */
function cell(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = value === null || value === undefined ? '' : String(value)
  const safe = isSpoilt(text) ? `="${text}"` : /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /["\n\r,]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Returns the text that `cell` protected from spreadsheets; other texts as they are. */
export const ofCell = (text: string): string => /^="(\d+)"$/.exec(text)?.[1] ?? text.replace(/^'(?=[=+\-@])/, '')

export const toCsv = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** Downloads the CSV with a byte order mark at its beginning, because Excel otherwise assumes another encoding. */
export const downloadCsv = (name: string, csv: string): void => download(name, `\uFEFF${csv}`, 'text/csv')
