// In charge of the figures measured in the web app: prints a table with each figure, its aim and whether the aim was met.

/** `figure` and `atMost` (the aim) are in `unit`. If `atMost` is left out, the figure is printed without a verdict. */
export type Figure = { what: string; figure: number; unit: string; atMost?: number; note?: string }

export type Figures = {
  heading(text: string): void
  add(...figures: Figure[]): void
  /** Reports a measurement that failed. */
  failed(what: string, error: unknown): void
  print(): void
}

const header = ['what', 'figure', 'aim', 'verdict', 'beside it']

function cells({ what, figure, unit, atMost, note = '' }: Figure): string[] {
  const shown = (value: number) => `${value.toLocaleString('en', { maximumFractionDigits: 0 })} ${unit}`.trim()
  if (atMost === undefined) return [what, shown(figure), '', '', note]
  return [what, shown(figure), atMost === 0 ? 'none' : `≤ ${shown(atMost)}`, figure <= atMost ? 'met' : 'MISSED', note]
}

export function createFigures(tell: (line: string) => void): Figures {
  const rows: string[][] = []
  return {
    heading: (text) => void rows.push([`**${text}**`, '', '', '', '']),
    add(...figures) {
      for (const row of figures.map(cells)) {
        rows.push(row)
        tell(`  ${row.join('  ')}`)
      }
    },
    failed(what, error) {
      rows.push([`**${what} did not work: ${String(error).split('\n')[0]}**`, '', '', '', ''])
      tell(`${what} did not work: ${error instanceof Error ? `${error.stack} ${error.cause ?? ''}` : error}`)
    },
    print() {
      const widths = header.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
      const line = (row: string[]) =>
        `| ${row.map((cell, at) => (at === 1 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0))).join(' | ')} |`
      const rule = widths.map((width, at) => (at === 1 ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2)))
      console.log([line(header), `|${rule.join('|')}|`, ...rows.map(line)].join('\n'))
    },
  }
}
