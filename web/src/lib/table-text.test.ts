// Facts about reading tables from text as spreadsheets copy and save it, and about writing them as CSV.
import { expect, test } from 'vitest'
import { isSheet, replacesTable, tableOf, textOf } from './table-text.ts'

test('a table is read from what a spreadsheet copies, with tabs, and from what it saves', () => {
  const table = {
    columns: ['market', 'hook'],
    rows: [
      ['DE', 'Nie mehr lauwarm'],
      ['FR', 'Fini, le tiède'],
    ],
  }
  expect(tableOf('market\thook\r\nDE\tNie mehr lauwarm\r\nFR\tFini, le tiède\r\n')).toEqual(table)
  expect(tableOf('market;hook\nDE;Nie mehr lauwarm\nFR;"Fini, le tiède"')).toEqual(table)
  expect(tableOf('\uFEFFmarket,hook\nDE,Nie mehr lauwarm\nFR,"Fini, le tiède"')).toEqual(table)
})

test('cells with quotes, marks and lines of their own come back as they were', () => {
  const table = {
    columns: ['a', 'b'],
    rows: [
      ['two\nlines', 'say "yes"'],
      ['a;b', 'c\td'],
      ['', 'x'],
    ],
  }
  expect(tableOf(textOf(table))).toEqual(table)
  expect(tableOf('a\tb\n"two\nlines"\tx').rows).toEqual([['two\nlines', 'x']])
})

test('rows are made as long as the widest, columns are named, and a blank table has neither', () => {
  expect(tableOf('a,a\n1\n1,2,3')).toEqual({
    columns: ['a', 'a_2', 'column_3'],
    rows: [
      ['1', '', ''],
      ['1', '2', '3'],
    ],
  })
  expect(tableOf('')).toEqual({ columns: [], rows: [] })
})

test('a word is pasted as a word, and cells as cells', () => {
  expect(isSheet('Berlin')).toBe(false)
  expect(isSheet('DE\tBerlin')).toBe(true)
  expect(isSheet('DE\nFR\n')).toBe(true)
})

test('a sentence with commas does not replace a table, and lines or cells do', () => {
  expect(replacesTable('Warm, soft, and yours')).toBe(false)
  expect(replacesTable('Warm, soft, and yours\r\n')).toBe(false)
  expect(replacesTable('DE\tBerlin')).toBe(true)
  expect(replacesTable('market,hook\nDE,Glow')).toBe(true)
  expect(replacesTable('DE\nFR')).toBe(true)
})
