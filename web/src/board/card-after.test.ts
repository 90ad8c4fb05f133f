// Facts about which card gets the focus when cards leave a column.
import { expect, test } from 'vitest'
import { cardAfter, cardToFocus } from './card-after.ts'

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

test('the focus goes along with a card to its new column, or else to the next card of the column that it left', () => {
  const next = (id: string, ...now: string[]) =>
    cardToFocus(
      cards,
      now.map((one) => ({ id: one })),
      id,
      null,
    )?.id
  expect(cardToFocus(cards, [], 'b', 'done')).toEqual({ id: 'b', column: 'done' })
  expect(next('b', 'a', 'c', 'd')).toBe('c')
  expect(next('b', 'a', 'new', 'd')).toBe('d')
  expect(next('d', 'a', 'b', 'c')).toBe('c')
  expect(next('c', 'a')).toBe('a')
  expect(next('c', 'new')).toBe('new')
  expect(next('c')).toBeUndefined()
})
