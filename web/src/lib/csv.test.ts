// Facts about writing a table as CSV.
import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('cells with commas, quotes and line ends are quoted', () => {
  expect(toCsv([['a,b', 'say "hi"', 'two\nlines', 'plain']])).toBe('"a,b","say ""hi""","two\nlines",plain\r\n')
})

test('nothing is an empty cell', () => {
  expect(toCsv([[null, undefined, 0, false]])).toBe(',,0,false\r\n')
})

test('digits that a spreadsheet would spoil as a number are the value of a formula, and others stay bare', () => {
  const cells = ['23852150404470549', '007', '123456789012', '12345678901', '0', 'T42_23852150404470549']
  expect(toCsv([cells])).toBe(
    '"=""23852150404470549""","=""007""","=""123456789012""",12345678901,0,T42_23852150404470549\r\n',
  )
})

test('what a spreadsheet would run is text; a number stays one', () => {
  expect(toCsv([['=1+1', '@x', '-1', -1, -0.5]])).toBe("'=1+1,'@x,'-1,-1,-0.5\r\n")
})
