// Facts about the order of the options of a field of several choices while somebody types.
import { expect, test } from 'vitest'
import { hasUnpicked, unpickedFirst } from './unpicked-first.ts'

const options = ['ann', 'ben', 'cleo'].map((value) => ({ value, label: value }))

test('options that are picked stand behind the others, both in their order', () => {
  const order = (picked: string[]) =>
    unpickedFirst(options, picked).flatMap((one) => ('value' in one ? [one.value] : []))
  expect(order([])).toEqual(['ann', 'ben', 'cleo'])
  expect(order(['ann'])).toEqual(['ben', 'cleo', 'ann'])
  expect(order(['ben', 'ann'])).toEqual(['cleo', 'ann', 'ben'])
})

test('none is left to be picked if all that fit are picked, or none fits', () => {
  expect(hasUnpicked(options, ['ann', 'ben'])).toBe(true)
  expect(hasUnpicked(options, ['ann', 'ben', 'cleo'])).toBe(false)
  expect(hasUnpicked([], [])).toBe(false)
})
