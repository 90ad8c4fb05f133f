// Facts about adding amounts of money and showing them as text.
import { expect, test } from 'vitest'
import { amountWords, moneyWords, noMoney, sumOfMoney } from './money.ts'

test.each([
  [0, 'USD 0.00'],
  [40_000, 'USD 0.04'],
  [12_500_000, 'USD 12.50'],
  [1132, 'USD 0.001132'],
])('%d millionths are read as %s', (micros, words) => {
  expect(amountWords(micros, 'USD')).toBe(words)
})

test.each([
  [noMoney, 'no money'],
  [{ least: 40_000, most: 40_000, unpriced: [] }, 'USD 0.04'],
  [{ least: 0, most: 7000, unpriced: [] }, 'up to USD 0.007'],
  [{ least: 40_000, most: 80_000, unpriced: [] }, 'USD 0.04 to USD 0.08'],
  [{ least: 40_000, most: null, unpriced: [] }, 'at least USD 0.04'],
  [{ least: 40_000, most: null, unpriced: ['fal:new'] }, 'at least USD 0.04, and price unknown (fal:new)'],
  [{ least: 0, most: null, unpriced: [] }, 'no most is known'],
])('%j is read as %s', (range, words) => {
  expect(moneyWords(range, 'USD')).toBe(words)
})

test('a sum has no most where one of its parts has none, and names each model without a price once', () => {
  const unknown = { least: 0, most: null, unpriced: ['fal:new'] }
  expect(sumOfMoney([{ least: 1, most: 2, unpriced: [] }, unknown, unknown])).toEqual({
    ...{ least: 1, most: null, unpriced: ['fal:new'] },
  })
})
