// In charge of the periods that the report on spending can show. Periods begin with a month in UTC, as the service counts months. Pure.

export const spendPeriods = [
  { value: 'month', label: 'This month' },
  { value: 'year', label: 'Last 12 months' },
  { value: 'all', label: 'All time' },
] as const
export type SpendPeriod = (typeof spendPeriods)[number]['value']

/** Returns the first day of a period that ends now, such as `2026-11-01`; null if the period has no beginning. */
export function firstDay(period: SpendPeriod, now: number): string | null {
  if (period === 'all') return null
  const date = new Date(now)
  const monthsBefore = period === 'month' ? 0 : 11
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsBefore, 1)).toISOString().slice(0, 10)
}
