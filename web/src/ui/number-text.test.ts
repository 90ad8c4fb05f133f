// Facts about reading texts that users type for numbers.
import { expect, test } from 'vitest'
import { isWrittenNumber, readNumber } from './number-text.ts'

test('a text on the way to a number is one already, however it is written, and none is no value', () => {
  expect(['1.', '1.50', '0.0', '007', '-12', ' 5 '].map((text) => readNumber(text).value)).toEqual([
    ...[1, 1.5, 0, 7, -12, 5],
  ])
  for (const text of ['', ' ', '-', '.']) expect(readNumber(text)).toEqual({ value: undefined, problem: null })
})

test('a number with more digits than it would keep is a problem, and never another number', () => {
  for (const text of ['12345678901234567', '-9007199254740993', '0.12345678901234567890']) {
    expect(readNumber(text)).toEqual({ value: undefined, problem: expect.stringContaining(text) })
  }
  for (const text of [
    '9007199254740991',
    '1234567890123456',
    '123456789012345',
    '0.000000000000000001',
    '1.5000000000000000',
  ]) {
    expect(readNumber(text)).toEqual({ value: Number(text), problem: null })
  }
})

test('a number is written as it is read only without needless digits', () => {
  expect(['19.9', '-0.05', ' 7 ', '1e+21'].every(isWrittenNumber)).toBe(true)
  expect(['19.90', '1e400', '', '-0', '1e3', '007', 'Infinit'].some(isWrittenNumber)).toBe(false)
})
