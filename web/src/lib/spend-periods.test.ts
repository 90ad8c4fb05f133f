// Facts about the periods of the report on spending.
import { expect, test } from 'vitest'
import { firstDay } from './spend-periods.ts'

test('this month begins with its first day, and twelve months with that of the eleventh month before, in UTC', () => {
  const now = Date.parse('2026-11-27T05:00:00Z')
  expect([firstDay('month', now), firstDay('year', now)]).toEqual(['2026-11-01', '2025-12-01'])
  const endOfYear = Date.parse('2026-12-31T23:30:00-08:00')
  expect([firstDay('month', endOfYear), firstDay('year', endOfYear)]).toEqual(['2027-01-01', '2026-02-01'])
})

test('all time has no first day', () => {
  expect(firstDay('all', Date.parse('2026-11-27T05:00:00Z'))).toBe(null)
})
