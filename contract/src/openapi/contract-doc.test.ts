// Facts about docs/contract.md: it contains every row of the contract's tables, and every test that it names exists.
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

const isThere = (path: string): boolean => existsSync(new URL(`../../../${path}`, import.meta.url))

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())

/** Splits a Markdown file into the table rows below each heading, each row as a list of cells. */
const rowsByHeading = (text: string): Map<string, string[][]> =>
  new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [heading = '', ...lines] = section.split('\n')
        const rows = lines.filter((line) => /^\| +[^ -]/.test(line)).map(cellsOf)
        return [heading, rows.slice(1)]
      }),
  )

const doc = rowsByHeading(read('docs/contract.md'))
const tables = rowsByHeading(read('server/test/support/wire-tables.md'))
const cited = [...doc].flatMap(([heading, rows]) =>
  rows.flatMap((row) =>
    (row.at(-1) ?? '').split('<br>').map((citation) => ({ row: `${heading}: ${row[0]}, ${row[1]}`, citation })),
  ),
)

test('every row of the contract’s tables stands in the document, and with a test', () => {
  expect([...tables.keys()]).toContain('TaskCard')
  const missing = [...tables].flatMap(([heading, rows]) => {
    const documented = doc.get(heading) ?? []
    if (heading === 'Task state') return documented.length < rows.length ? [heading] : []
    const names = documented.map(([name = '']) => name.replaceAll('`', ''))
    return rows
      .map(([name = '']) => name)
      .filter((name) => !names.includes(name))
      .map((name) => `${heading}.${name}`)
  })
  expect(missing).toEqual([])
  expect(cited.length).toBeGreaterThan(200)
})

test('every test the document names exists', () => {
  const broken = cited.flatMap(({ row, citation }) => {
    const [, file, name] = /^`([\w-]+\.test\.ts)`: (.+)$/.exec(citation.trim()) ?? []
    if (file === undefined || name === undefined) return [`${row} names no test: “${citation}”`]
    const path = ['http', 'features'].map((folder) => `server/test/${folder}/${file}`).find(isThere)
    if (path === undefined) return [`${row}: there is no ${file}`]
    const named = ["'", '"', '`'].some((quote) => read(path).includes(`${quote}${name}${quote}`))
    return named ? [] : [`${row}: ${path} has no test “${name}”`]
  })
  expect(broken).toEqual([])
})
