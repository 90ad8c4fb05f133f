// Facts about editing a table at a gate: its columns, the values that are typed, and pasted cells.
import { expect, test } from 'vitest'
import {
  columnsOf,
  problemsIn,
  readCell,
  rowsIn,
  rowsOf,
  textOfRows,
  withCell,
  withNewRow,
  withPasted,
} from './gate-rows.ts'

const rows = [
  { name: 'Pillow', price: 19.9, live: true, tags: ['soft'], note: null },
  { name: 'Duvet\nlarge', price: 49, live: false, tags: [] },
]
const columns = columnsOf(rows, rows)
const file = { digest: 'a'.repeat(64), media_type: 'image/png', size: 1 }

test('a list of objects is a table; a list of files, of texts or of nothing is none', () => {
  expect(rowsOf(rows)).toBe(rows)
  for (const other of [[], [{}], ['a'], [file], [{ a: 1 }, null], { a: 1 }, 'a']) expect(rowsOf(other)).toBeNull()
})

test('the columns are those of all rows, and what stands in a column tells its kind', () => {
  expect(columns).toEqual([
    { name: 'name', kind: 'text' },
    { name: 'price', kind: 'number' },
    { name: 'live', kind: 'boolean' },
    { name: 'tags', kind: 'mixed' },
    { name: 'note', kind: 'text' },
  ])
  expect(columnsOf([{ a: 1 }, { a: 'x' }], [{ a: 1, b: true }])).toEqual([
    { name: 'a', kind: 'mixed' },
    { name: 'b', kind: 'boolean' },
  ])
  expect(columnsOf(rows, [])).toEqual(columns)
})

test('in a column of numbers or of true and false, what is typed is read as such, and nothing is null', () => {
  expect([readCell('20', 19.9, 'number'), readCell(' 1.50', 2, 'number'), readCell('', 2, 'number')]).toEqual([
    20,
    1.5,
    null,
  ])
  expect([
    readCell('TRUE', false, 'boolean'),
    readCell('false', null, 'boolean'),
    readCell('', true, 'boolean'),
  ]).toEqual([true, false, null])
})

test('in a column of texts, a number that is typed is a text, and blanks and breaks stay', () => {
  expect([readCell('20', 'x', 'text'), readCell(' a\nb ', 'x', 'text'), readCell('', 'x', 'text')]).toEqual([
    '20',
    ' a\nb ',
    '',
  ])
})

test('in a column of several kinds, a number that is replaced by a number is one, and a text by it is a text', () => {
  expect([readCell('5', 4, 'mixed'), readCell('five', 4, 'mixed'), readCell('5', 'four', 'mixed')]).toEqual([
    5,
    'five',
    '5',
  ])
})

test('what is typed into a cell without a value and taken back leaves it without one', () => {
  expect([readCell('', null, 'text'), readCell('', undefined, 'number')]).toEqual([null, undefined])
  expect(withCell(withCell([{ a: 1 }], 0, 'b', 'x'), 0, 'b', undefined)).toEqual([{ a: 1 }])
})

test('what does not fit its column is named with its row and column', () => {
  const typed = withCell(withCell(rows, 1, 'price', 'cheap'), 1, 'live', 'maybe')
  expect(problemsIn(typed, columns).map(({ words }) => words)).toEqual([
    'Row 2, “price”: “cheap” is not a number.',
    'Row 2, “live”: “maybe” is neither true nor false.',
  ])
  for (const odd of ['Infinity', '12345678901234567890', '1e400']) {
    expect(problemsIn(withCell(rows, 0, 'price', readCell(odd, 1, 'number')), columns).length).toBe(1)
  }
  expect(problemsIn(rows, columns)).toEqual([])
})

test('a cell that is edited and set back leaves the text as it was, with every type', () => {
  const text = textOfRows(rows)
  const read = rowsIn(text) ?? []
  const edited = withCell(read, 0, 'name', 'Cushion')
  expect(textOfRows(edited)).not.toBe(text)
  expect(textOfRows(withCell(edited, 0, 'name', 'Pillow'))).toBe(text)
})

test('a new row has every column', () => {
  expect(withNewRow(rows, columns)[2]).toEqual({ name: '', price: null, live: null, tags: null, note: '' })
})

test('pasted cells fill rows from a cell on, with new rows, and say what found no place', () => {
  const lines = [
    ['5', 'true', 'hard', 'new', 'beyond'],
    ['6', 'no'],
  ]
  const pasted = withPasted(rows, columns, { row: 1, column: 1 }, lines)
  expect(pasted).toMatchObject({ first: 1, count: 2, leftOut: 2 })
  expect(pasted.rows).toEqual([
    rows[0],
    { name: 'Duvet\nlarge', price: 5, live: true, tags: [], note: 'new' },
    { name: '', price: 6, live: 'no', tags: null, note: '' },
  ])
})

test('a first line that repeats the names of the columns is left out', () => {
  const lines = [
    ['name', 'price'],
    ['Sheet', '7'],
  ]
  expect(withPasted(rows, columns, { row: 0, column: 0 }, lines).rows[0]).toMatchObject({ name: 'Sheet', price: 7 })
})

test('a column may have any name', () => {
  const odd = rowsIn('[{"__proto__":"x","constructor":1}]') ?? []
  const names = columnsOf(odd, odd)
  expect(names.map(({ name, kind }) => `${name} ${kind}`)).toEqual(['__proto__ text', 'constructor number'])
  expect(textOfRows(withCell(odd, 0, '__proto__', 'y'))).toBe(
    textOfRows(rowsIn('[{"__proto__":"y","constructor":1}]') ?? []),
  )
})
