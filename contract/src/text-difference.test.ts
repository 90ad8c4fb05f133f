// Facts about where two long texts of a change begin.
import { expect, test } from 'vitest'
import { startOfDifference } from './text-difference.ts'

test('two texts that begin alike for long begin shortly before their first difference, others at their beginning', () => {
  const same = 'x'.repeat(61)
  expect(startOfDifference(`${same}before`, `${same}after`)).toBe(31)
  expect(startOfDifference(same, `${same}and more`)).toBe(31)
  expect(startOfDifference(`${same.slice(1)}before`, `${same.slice(1)}after`)).toBe(0)
  expect(startOfDifference('before', '')).toBe(0)
})
