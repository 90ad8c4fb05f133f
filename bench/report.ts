// In charge of the results: rows with ratios and verdicts, printed as a table or written as JSON.
import { writeFileSync } from 'node:fs'

export type Aim = { atLeast: number } | { atMost: number }
/**
 * `ours` and `floor` are in `unit`; without `floor` (null or left out) there is nothing to compare with. `ratio` is set only if it
 * is not simply `ours` divided by `floor`.
 */
export type Result = {
  what: string
  ours: number
  floor?: number | null
  unit: string
  ratio?: number
  aim?: Aim
}

export type Report = {
  add(...results: Result[]): void
  heading(text: string): void
  print(): void
  write(file: string, about: Record<string, unknown>): void
}

const meets = (ratio: number, aim: Aim): boolean => ('atLeast' in aim ? ratio >= aim.atLeast : ratio <= aim.atMost)

const number = (value: number): string => {
  if (!Number.isFinite(value)) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

const ratioOf = ({ ours, floor, ratio }: Result): number | null => ratio ?? (floor ? ours / floor : null)

function cells(result: Result): string[] {
  const { what, ours, floor, unit, aim } = result
  const ratio = ratioOf(result)
  const wanted = aim === undefined ? '' : 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`
  return [
    what,
    `${number(ours)} ${unit}`,
    floor === undefined || floor === null ? '' : `${number(floor)} ${unit}`,
    ratio === null ? '' : ratio.toFixed(2),
    wanted,
    ratio === null || aim === undefined ? '' : meets(ratio, aim) ? 'met' : 'MISSED',
  ]
}

const header = ['what', 'ours', 'floor', 'ratio', 'aim', 'verdict']

export function createReport(tell: (line: string) => void): Report {
  const lines: (Result | string)[] = []
  return {
    add(...results) {
      lines.push(...results)
      for (const result of results) tell(`  ${cells(result).join('  ')}`)
    },
    heading: (text) => void lines.push(text),
    print() {
      const body = lines.map((line) => (typeof line === 'string' ? [`**${line}**`, '', '', '', '', ''] : cells(line)))
      const widths = header.map((name, at) => Math.max(name.length, ...body.map((row) => row[at]?.length ?? 0)))
      const isNumber = (at: number) => at >= 1 && at <= 3
      const pad = (cell: string, at: number) =>
        isNumber(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)
      const rule = widths.map((width, at) => (isNumber(at) ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2)))
      console.log(`| ${header.map(pad).join(' | ')} |`)
      console.log(`|${rule.join('|')}|`)
      for (const row of body) console.log(`| ${row.map(pad).join(' | ')} |`)
    },
    write(file, about) {
      let section = ''
      const results = lines.flatMap((line) => {
        if (typeof line === 'string') {
          section = line
          return []
        }
        const ratio = ratioOf(line)
        const verdict = ratio === null || !line.aim ? null : meets(ratio, line.aim) ? 'met' : 'missed'
        return [{ section, ...line, ratio, verdict }]
      })
      writeFileSync(file, `${JSON.stringify({ ...about, results }, null, 2)}\n`)
    },
  }
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}
