// Facts about what is pasted into a table: cells of a spreadsheet, lists, and texts for one cell.
import { expect, test } from 'vitest'
import { isForCells, pastedCells } from './table-paste.ts'

test('tabs part cells, and line breaks part rows; a line break at the end begins no row', () => {
  expect(pastedCells('a\tb\r\nc\td\r\n')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(pastedCells('a\t\n\tb')).toEqual([
    ['a', ''],
    ['', 'b'],
  ])
  expect(pastedCells('a\n\nb')).toEqual([['a'], [''], ['b']])
  expect(pastedCells('')).toEqual([['']])
})

test('a quoted cell keeps its line breaks, tabs and quotes', () => {
  expect(pastedCells('"two\nlines"\tx\n"say ""hi"""\t"a\tb"')).toEqual([
    ['two\nlines', 'x'],
    ['say "hi"', 'a\tb'],
  ])
})

test('quotes that nothing needs stay, and so do blanks', () => {
  expect(pastedCells('"Great"\t"Great" soap\t 5" wide \t"')).toEqual([['"Great"', '"Great" soap', ' 5" wide ', '"']])
})

test('what has tabs or is a table is for several cells, wherever it is pasted', () => {
  const inText = { length: 5, start: 2, end: 2 }
  expect(isForCells({ text: 'a\tb', html: '' }, inText)).toBe(true)
  expect(isForCells({ text: 'a\nb', html: '<meta><table><tr>' }, inText)).toBe(true)
})

test('lines alone are for several cells only as plain text that replaces all of a cell', () => {
  const [all, inText] = [
    { length: 5, start: 0, end: 5 },
    { length: 5, start: 5, end: 5 },
  ]
  expect(isForCells({ text: 'a\nb', html: '' }, all)).toBe(true)
  expect(isForCells({ text: 'a\nb', html: '' }, inText)).toBe(false)
  expect(isForCells({ text: 'a\nb', html: '<p>a</p><p>b</p>' }, all)).toBe(false)
  expect(isForCells({ text: 'one line, with a comma\n', html: '' }, all)).toBe(false)
})
