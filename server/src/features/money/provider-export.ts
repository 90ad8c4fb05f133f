// In charge of parsing a provider's list of charges, which is CSV with the columns time, model and amount. Pure.
import { CsvError, parse } from 'csv-parse/sync'
import { OperatorError } from '../../platform/operator-error.ts'
import type { ExportRow } from './reconcile.ts'

const needed = ['time', 'model', 'amount'] as const
const mostRows = 200_000

/** Returns the lines of the list, with model names as in the ledger. Throws an error that names the line if a line is wrong. */
export function readProviderExport(text: string, provider: string, currency: string): ExportRow[] {
  const [head = [], ...lines] = parsed(text)
  const columns = head.map((name) => name.trim().toLowerCase())
  const absent = needed.filter((name) => !columns.includes(name))
  if (absent.length > 0)
    throw new OperatorError(
      `The export has no column ${absent.join(', ')}; its first line must name ${needed.join(', ')}, and may name request_id and currency.`,
    )
  if (lines.length > mostRows)
    throw new OperatorError(`The export has ${lines.length} lines; compare ${mostRows} at most at a time.`)
  return lines.map((cells, index) => {
    const cell = (name: string): string => cells[columns.indexOf(name)]?.trim() ?? ''
    const line = index + 2
    const said = cell('currency').toUpperCase()
    if (said !== '' && said !== currency)
      throw new OperatorError(`Line ${line} of the export is in ${said}; the ledger is kept in ${currency}.`)
    const model = cell('model')
    if (model === '') throw new OperatorError(`Line ${line} of the export names no model.`)
    return {
      ...{ line, model: model.startsWith(`${provider}:`) ? model : `${provider}:${model}` },
      ...{ time: timeOf(cell('time'), line), amount: microsOf(cell('amount'), line), requestId: cell('request_id') },
    }
  })
}

function parsed(text: string): string[][] {
  try {
    return parse(text, { bom: true, skip_empty_lines: true })
  } catch (error) {
    if (error instanceof CsvError) throw new OperatorError(`The export is no CSV: ${error.message}`)
    throw error
  }
}

/**
 * Parses a time and returns it in milliseconds since 1970. The text must name a time zone; without one, the time could be hours off
 * and the line would be matched with the wrong calls.
 */
function timeOf(text: string, line: number): number {
  const time = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (Number.isNaN(time))
    throw new OperatorError(
      `Line ${line} of the export: “${text.slice(0, 60)}” is no time such as 2026-11-23T09:30:00Z.`,
    )
  return time
}

/** Parses an amount of money, a decimal number, and returns it in millionths of the currency, rounded. */
function microsOf(text: string, line: number): number {
  const [, whole, part = ''] = /^(\d{1,9})(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === undefined)
    throw new OperatorError(`Line ${line} of the export: “${text.slice(0, 60)}” is no amount such as 0.042.`)
  const digits = part.padEnd(7, '0')
  return Number(whole) * 1_000_000 + Number(digits.slice(0, 6)) + (Number(digits[6]) >= 5 ? 1 : 0)
}
