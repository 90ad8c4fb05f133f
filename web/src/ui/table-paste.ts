// In charge of reading the cells that a spreadsheet has put into the clipboard, and of telling them from a text for one cell. Pure.

/** A cell that a spreadsheet quotes, because it holds a line break, a tab or a quote; its quotes are written twice. */
const quoted = /"((?:[^"]|"")*)"(?=\t|\r?\n|$)/y
const plain = /[^\t\r\n]*/y
const end = /\t|\r?\n|\r|$/y

/**
 * The lines of a copied text, each with its cells. Unlike in a CSV file, quotes around a cell that needs none belong to the cell:
 * spreadsheets copy the title `"Great"` as it is. Blanks at the ends of cells stay.
 */
export function pastedCells(text: string): string[][] {
  const lines: string[][] = [[]]
  let at = 0
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null) at = pattern.lastIndex
    return found
  }
  const nextCell = (): string => {
    const start = at
    const inside = next(quoted)?.[1]
    if (inside !== undefined && /[\t\r\n]|""/.test(inside))
      return inside.replaceAll('""', '"').replaceAll(/\r\n?/g, '\n')
    at = start
    return next(plain)?.[0] ?? ''
  }
  while (at <= text.length) {
    lines.at(-1)?.push(nextCell())
    const mark = next(end)?.[0] ?? ''
    if (mark === '') break
    if (mark !== '\t' && at < text.length) lines.push([])
    if (mark !== '\t' && at >= text.length) break
  }
  return lines
}

type Copied = { text: string; html: string }
/** Where it is pasted: the text of the cell, and what of it is selected. */
type Place = { length: number; start: number; end: number }

/**
 * Whether what is pasted is meant for several cells. Tabs, and a table, come from a spreadsheet. Lines alone may be a list or a text with
 * paragraphs: they are for several cells only if they are no formatted text, and nothing of the cell would stay.
 */
export function isForCells({ text, html }: Copied, { length, start, end }: Place): boolean {
  if (text.includes('\t') || /<table\b/i.test(html)) return true
  return html === '' && /[\r\n]/.test(text.trim()) && start === 0 && end === length
}
