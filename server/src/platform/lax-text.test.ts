// Facts about which texts count as numbers and booleans.
import { expect, test } from 'vitest'
import { readBoolean, readInteger, readNumber } from './lax-text.ts'

test.each([
  ['5', 5],
  [' +5\n', 5],
  ['-05', -5],
  ['1_000', 1000],
  ['1.00', 1],
  ['1.5', null],
  ['1.', null],
  ['1e3', null],
  ['0x10', null],
  ['1__0', null],
  ['+_1', null],
  ['', null],
  ['٣', null],
])('%j as an integer is %s', (text, integer) => {
  expect(readInteger(text)).toBe(integer)
})

test.each([
  ['.5', 0.5],
  ['1.', 1],
  [' 1e-3 ', 0.001],
  ['1_000.5', 1000.5],
  ['1e999', Number.POSITIVE_INFINITY],
  ['-inf', Number.NaN],
  ['', null],
  ['.', null],
  ['0x10', null],
  ['1 0', null],
])('%j as a number is %s', (text, number) => {
  expect(readNumber(text)).toBe(number)
})

test.each([
  ['true', true],
  ['YES', true],
  ['1', true],
  ['f', false],
  ['Off', false],
  ['', null],
  ['2', null],
  [' true', null],
])('%j as a boolean is %s', (text, boolean) => {
  expect(readBoolean(text)).toBe(boolean)
})
