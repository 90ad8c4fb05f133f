// In charge of the CSV export of spending, and of the list of what spending can be grouped by. Pure.
import type { CallResult } from '@atelier/contract/wire/calls.ts'

export type SpendPage = CallResult<'getSpend'>
export type SpendRows = Pick<SpendPage, 'rows' | 'currency'>

export const spendBys = [
  { value: 'month', label: 'Month' },
  { value: 'model', label: 'Model' },
  { value: 'person', label: 'Person' },
  { value: 'product', label: 'Product' },
  { value: 'creative', label: 'Creative' },
  { value: 'task', label: 'Task' },
  { value: 'run', label: 'Run' },
] as const
export type SpendBy = (typeof spendBys)[number]['value']

/** The CSV text. Amounts are plain decimal numbers, and a cell that could be run as a formula is marked as text. */
export function spendCsv({ rows, currency }: SpendRows): string {
  const head = ['key', 'name', 'calls', 'planned_most', 'paid', 'at_most', 'currency']
  const lines = rows.map(({ key, name, calls, planned_most, amount, at_most }) => [
    ...[key ?? '', name ?? '', String(calls), planned_most === null ? '' : decimal(planned_most)],
    ...[decimal(amount), decimal(at_most), currency],
  ])
  return [head, ...lines].map((cells) => cells.map(cellOf).join(',')).join('\r\n')
}

const decimal = (micros: number): string =>
  `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, '0')}`

function cellOf(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
