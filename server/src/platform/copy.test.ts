// Facts about copying a database: how many rows are in memory at the same time.
import { expect, test } from 'vitest'
import { rowsAtATime } from './copy.ts'

test.each([
  [0, 500],
  [1000, 500],
  [1_000_000, 67],
  [8_400_000, 7],
  [500_000_000, 1],
])('of rows of up to %i bytes, %i travel together', (longest, rows) => {
  expect(rowsAtATime(longest)).toBe(rows)
})
