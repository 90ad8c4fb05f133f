// Facts about when the web app tries again what could not be sent.
import { expect, test } from 'vitest'
import { pauseAfter } from './try-again.ts'

test('the pauses between attempts begin with two seconds, double, and never exceed half a minute', () => {
  expect([1, 2, 3, 4, 5, 2000].map(pauseAfter)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})
