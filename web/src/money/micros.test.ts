// Facts about amounts that users write.
import { expect, test } from 'vitest'
import { amountText, readAmount } from './micros.ts'

const read = (text: string) => {
  const written = readAmount(text)
  return 'refusal' in written ? written.refusal : written.micros / 1_000_000
}

test.each([
  ['0', 0],
  ['1000', 1000],
  [' 12.5 ', 12.5],
  ['12.', 12],
  ['0.000001', 0.000001],
  ['1,000', 1000],
  ['12,500', 12_500],
  ['1,250.50', 1250.5],
  ['1,000,000', 1_000_000],
  ['12,5', 12.5],
  ['12,50', 12.5],
  ['0,125', 0.125],
  ['1.234,56', 1234.56],
  ['1.000.000', 1_000_000],
  ['1 000', 1000],
  ['1\u202f250,5', 1250.5],
  ['1’000.05', 1000.05],
  ['1000000000', 1_000_000_000],
])('“%s” is %s', (text, amount) => {
  expect(read(text)).toBe(amount)
})

test('with a point alone, what follows are decimals, as where amounts are shown', () => {
  expect(readAmount('1.000')).toEqual({ micros: 1_000_000, isPlain: true })
  expect(readAmount('1,000')).toEqual({ micros: 1_000_000_000, isPlain: false })
})

test.each(['', 'a', '1e3', '0x10', '1.2.3', '1,00,000', '1,,000', ',5', '.', '12 5', '1.250,5,0', '∞', '١٢'])(
  '“%s” is refused, and not read as something else',
  (text) => {
    expect(read(text)).toBe('Write an amount such as 1000 or 12.50.')
  },
)

test('an amount out of bounds is refused, and not changed into one within', () => {
  expect(read('-5')).toBe('An amount is 0 or more.')
  expect(read('−5')).toBe('An amount is 0 or more.')
  expect(read('1000000000.000001')).toBe('An amount is 1000000000 at most.')
  expect(read('9'.repeat(400))).toBe('An amount is 1000000000 at most.')
  expect(read('0.0000004')).toBe('An amount has six decimals at most.')
})

test('what the service has is written so that it is read as the same', () => {
  for (const micros of [0, 1, 33_333, 12_500_000, 1_000_000_000_000_000])
    expect(readAmount(amountText(micros))).toEqual({ micros, isPlain: true })
})
