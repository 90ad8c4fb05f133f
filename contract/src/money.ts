// In charge of amounts of money, stored as whole millionths of a currency's unit: adding them and writing them as text. Pure.

/** The range of a possible price. `most` is null if there is no upper bound; `unpriced` lists the models without a known price. */
export type MoneyRange = { least: number; most: number | null; unpriced: readonly string[] }

export const noMoney: MoneyRange = { least: 0, most: 0, unpriced: [] }

export const sumOfMoney = (ranges: readonly MoneyRange[]): MoneyRange => ({
  least: ranges.reduce((total, { least }) => total + least, 0),
  most: ranges.some(({ most }) => most === null) ? null : ranges.reduce((total, { most }) => total + (most ?? 0), 0),
  unpriced: [...new Set(ranges.flatMap(({ unpriced }) => unpriced))],
})

/** Text such as `USD 0.04` or `USD 12.50`; it has at least two decimals, and up to six if needed. */
export function amountWords(micros: number, currency: string): string {
  const whole = Math.floor(micros / 1_000_000)
  const rest = String(micros % 1_000_000).padStart(6, '0')
  return `${currency} ${whole}.${rest.slice(0, 2)}${rest.slice(2).replace(/0+$/, '')}`
}

/** The price of a start as text, such as `no money`, `USD 0.04`, `up to USD 0.10`, `at least USD 0.40` or `price unknown (…)`. */
export function moneyWords({ least, most, unpriced }: MoneyRange, currency: string): string {
  const atLeast = least === 0 ? '' : `at least ${amountWords(least, currency)}`
  if (unpriced.length > 0)
    return `${atLeast === '' ? '' : `${atLeast}, and `}price unknown (${unpriced.slice(0, 3).join(', ')})`
  if (most === null) return atLeast === '' ? 'no most is known' : atLeast
  if (most === 0) return 'no money'
  if (least === most) return amountWords(most, currency)
  return least === 0
    ? `up to ${amountWords(most, currency)}`
    : `${amountWords(least, currency)} to ${amountWords(most, currency)}`
}
