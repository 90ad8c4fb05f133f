// Facts about the words for why a run can no longer be changed.
import { expect, test } from 'vitest'
import { refusalWords } from './words.ts'

test('a run that is a record is not said to have put files on a card, which the run of a take has not', () => {
  const words = refusalWords('run_exported')
  expect(words).toContain('on a card, or proposed as a new take')
  expect(refusalWords(null)).toBe(null)
})
