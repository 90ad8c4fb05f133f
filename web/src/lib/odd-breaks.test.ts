// Facts about characters that end a line and that nobody sees.
import { expect, test } from 'vitest'
import { withoutOddBreaks } from './odd-breaks.ts'

test('parts of a record lose the characters that nobody sees, and keep their lines', () => {
  const stored = [{ key: 'a\u2028b', description: 'first\nsecond', tags: ['x\u0085'], completed: null }]
  expect(withoutOddBreaks(stored)).toEqual([
    { key: 'a b', description: 'first\nsecond', tags: ['x '], completed: null },
  ])
})
