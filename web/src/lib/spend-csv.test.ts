// Facts about the CSV export of spending.
import { expect, test } from 'vitest'
import { spendCsv } from './spend-csv.ts'

const row = {
  ...{ calls: 2, planned_most: 90_000, amount: 33_123, at_most: 33_123 },
  ...{ planned_known: 90_000, calls_unplanned: 0 },
}

test('amounts are decimals, and what is not known is empty', () => {
  const rows = [
    { key: '2026-11', name: null, ...row },
    { key: null, name: null, ...row, planned_most: null },
  ]
  expect(spendCsv({ currency: 'USD', rows }).split('\r\n')).toEqual([
    'key,name,calls,planned_most,paid,at_most,currency',
    '2026-11,,2,0.090000,0.033123,0.033123,USD',
    ',,2,,0.033123,0.033123,USD',
  ])
})

test('names with commas are quoted, and formulas are text', () => {
  const rows = [{ key: 'a', name: '=SUM(A1), "all"', ...row }]
  expect(spendCsv({ currency: 'USD', rows }).split('\r\n')[1]).toBe(
    `a,"'=SUM(A1), ""all""",2,0.090000,0.033123,0.033123,USD`,
  )
})
