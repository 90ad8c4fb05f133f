// In charge of tables as CSV (RFC 4180) that spreadsheets open as text.
import { download } from './download.ts'

/** A cell; what a spreadsheet would run as a formula is kept text by a leading apostrophe. */
function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /["\n\r,]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const toCsv = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** With a byte order mark, without which Excel takes the text for another encoding. */
export const downloadCsv = (name: string, csv: string): void => download(name, `\uFEFF${csv}`, 'text/csv')
