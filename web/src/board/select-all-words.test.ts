// Facts about the words of the button that selects all cards of a column.
import { expect, test } from 'vitest'
import { allWords } from './select-all-words.ts'

test('the button says of how many cards it is, and that it selects only the first of too many', () => {
  expect(allWords(230, 500, 'Backlog')).toBe('Select all 230 in Backlog')
  expect(allWords(500, 500, 'Backlog')).toBe('Select all 500 in Backlog')
  expect(allWords(2300, 500, 'Backlog')).toBe('Select the first 500 of 2,300 in Backlog')
  expect(allWords(null, 500, 'Backlog')).toBe('Select all in Backlog')
})
