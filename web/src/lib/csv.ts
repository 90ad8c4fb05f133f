// In charge of writing tables as CSV (RFC 4180), in such a way that no spreadsheet runs a cell as a formula.
import { download } from './download.ts'

/** A cell in CSV. If its text could be run as a formula, a leading apostrophe makes spreadsheets read it as text. */
function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /["\n\r,]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const toCsv = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** Downloads the CSV with a byte order mark at its beginning, because Excel otherwise assumes another encoding. */
export const downloadCsv = (name: string, csv: string): void => download(name, `\uFEFF${csv}`, 'text/csv')
