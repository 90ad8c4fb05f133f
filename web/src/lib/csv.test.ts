// Facts about writing a table as CSV.
import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('cells with commas, quotes and line ends are quoted', () => {
  expect(toCsv([['a,b', 'say "hi"', 'two\nlines', 'plain']])).toBe('"a,b","say ""hi""","two\nlines",plain\r\n')
})

test('nothing is an empty cell', () => {
  expect(toCsv([[null, undefined, 0, false]])).toBe(',,0,false\r\n')
})

test('what a spreadsheet would run is text', () => {
  expect(toCsv([['=1+1', '@x', '-1']])).toBe("'=1+1,'@x,'-1\r\n")
})
