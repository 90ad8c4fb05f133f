// Facts about texts of one line.
import { expect, test } from 'vitest'
import { oneLine, withoutTurns } from './one-line.ts'

test('what ends a line becomes a blank, and blanks at the ends go', () => {
  expect(oneLine(' Cool\u2028side \nof\u0085the\tpillow\u2029')).toBe('Cool side  of the pillow')
})

test('what turns the direction of writing goes, and letters from right to left stay', () => {
  expect(withoutTurns('\u202eGrace\u202c \u2066Hopper\u2069')).toBe('Grace Hopper')
  expect(withoutTurns('שרה')).toBe('שרה')
})
