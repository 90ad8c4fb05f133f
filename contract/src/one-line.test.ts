// Facts about texts of one line.
import { expect, test } from 'vitest'
import { oneLine } from './one-line.ts'

test('what ends a line becomes a blank, and blanks at the ends go', () => {
  expect(oneLine(' Cool\u2028side \nof\u0085the\tpillow\u2029')).toBe('Cool side  of the pillow')
})
