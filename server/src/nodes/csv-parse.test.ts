// Facts about the node type `csv.parse`.
import { expect, test } from 'vitest'
import { callNode, failureOf, filesInMemory } from '../../test/support/nodes.ts'
import { csvParse } from './csv-parse.ts'

const parse = (text: string, params: Record<string, unknown> = {}) => callNode(csvParse, { params, inputs: { text } })

test('each line is a row by column name', async () => {
  const { outputs } = await parse('headline,price\nDrink cold,29.9\n"Hot, too",19\n')
  expect(outputs).toEqual({
    rows: [
      { headline: 'Drink cold', price: '29.9' },
      { headline: 'Hot, too', price: '19' },
    ],
    columns: ['headline', 'price'],
    count: 2,
  })
})

test.for([
  ['semicolons', 'a;b\n1;2'],
  ['tabs', 'a\tb\n1\t2'],
  ['pipes', 'a|b\n1|2'],
  ['a byte order mark', '\ufeffa,b\n1,2'],
  ['line ends of Windows', 'a,b\r\n1,2\r\n\r\n'],
] as const)('%s are understood', async ([, text]) => {
  expect((await parse(text)).outputs.rows).toEqual([{ a: '1', b: '2' }])
})

test('numbers are read as such only where that is asked for, and never out of ids', async () => {
  expect((await parse('id,price\n007,1.50', { numbers: true })).outputs.rows).toEqual([{ id: '007', price: 1.5 }])
})

test('a line with other than the named columns is told by its number', async () => {
  expect(await failureOf(parse('a,b\n1,2\n1,2,3\n'))).toMatch(
    /^Line 3 has 3 values, and the first line names 2 columns/,
  )
})

test('a quote that never closes is told', async () => {
  expect(await failureOf(parse('a,b\n1,"2\n3,4\n'))).toMatch(/^A quote opens and never closes/)
})

test.for([
  ['', /is empty/],
  ['a,,c\n1,2,3', /column 2 has no name/],
  ['a,b,a\n1,2,3', /two columns are called “a”/],
] as const)('a header that names no columns is refused: %j', async ([text, words]) => {
  expect(await failureOf(parse(text))).toMatch(words)
})

test('a table of more rows than are allowed is refused', async () => {
  expect(await failureOf(parse(`a\n${'x\n'.repeat(10_001)}`))).toMatch(/more than 10000 rows/)
})

test('a large table within the limits is read whole', async () => {
  const { outputs } = await parse(`a,b\n${`${'x'.repeat(200)},y\n`.repeat(10_000)}`)
  expect(outputs.count).toBe(10_000)
})

test('a file is read as UTF-8 or, with its mark, UTF-16', async () => {
  const files = filesInMemory()
  const utf16 = await files.write(Buffer.from('\ufeffname\nZoë\n', 'utf16le'), 'text/csv')
  expect((await callNode(csvParse, { inputs: { file: utf16 }, files })).outputs.rows).toEqual([{ name: 'Zoë' }])
  const latin1 = await files.write(Buffer.from('name\nZoë\n', 'latin1'), 'text/csv')
  expect(await failureOf(callNode(csvParse, { inputs: { file: latin1 }, files }))).toMatch(/not UTF-8/)
})

test('either a file or a text must be led to it', async () => {
  expect(await failureOf(callNode(csvParse, {}))).toMatch(/either a file or a text/)
})
