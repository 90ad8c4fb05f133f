// Facts about which card gets the focus when cards leave a column.
import { expect, test } from 'vitest'
import { cardAfter } from './card-after.ts'

const cards = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
const after = (...gone: string[]) => cardAfter(cards, new Set(gone))?.id

test('the card below the ones that leave gets the focus, or else the card above them', () => {
  expect(after('a')).toBe('b')
  expect(after('b', 'c')).toBe('d')
  expect(after('a', 'c')).toBe('b')
  expect(after('d')).toBe('c')
  expect(after('c', 'd')).toBe('b')
})

test('no card gets the focus if all cards leave, or if none of them is in the column', () => {
  expect(after('a', 'b', 'c', 'd')).toBeUndefined()
  expect(after('x')).toBeUndefined()
})
