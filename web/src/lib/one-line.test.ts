// Facts about texts of one line.
import { expect, test } from 'vitest'
import { oneLine, withoutOddBreaks } from './one-line.ts'

test('what ends a line becomes a blank, and blanks at the ends go', () => {
  expect(oneLine(' Cool\u2028side \nof\u0085the\tpillow\u2029')).toBe('Cool side  of the pillow')
})

test('parts of a record lose the characters that nobody sees, and keep their lines', () => {
  const stored = [{ key: 'a\u2028b', description: 'first\nsecond', tags: ['x\u0085'], completed: null }]
  expect(withoutOddBreaks(stored)).toEqual([
    { key: 'a b', description: 'first\nsecond', tags: ['x '], completed: null },
  ])
})
