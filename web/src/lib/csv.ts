// In charge of writing tables as CSV (RFC 4180), with cells that spreadsheets read as text.
import { download } from './download.ts'

/** A cell. A leading apostrophe keeps a spreadsheet from running its text as a formula. */
function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /["\n\r,]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const toCsv = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** Begins with a byte order mark: without it Excel assumes another encoding. */
export const downloadCsv = (name: string, csv: string): void => download(name, `\uFEFF${csv}`, 'text/csv')
