// Facts about the words for how many tasks a search or a filter has found.
import { expect, test } from 'vitest'
import { outcomeWords } from './outcome-words.ts'

const columns = (...totals: number[]) => totals.map((total) => ({ total, isWhole: true }))

test('the tasks of all columns are counted together', () => {
  expect(outcomeWords(columns(0, 0, 0))).toBe('Nothing matches')
  expect(outcomeWords(columns(0, 1, 0))).toBe('1 task matches')
  expect(outcomeWords(columns(7, 0, 5))).toBe('12 tasks match')
})

test('a count that the service did not finish is a lower limit', () => {
  expect(outcomeWords([...columns(3), { total: 50, isWhole: false }])).toBe('At least 53 tasks match')
})
