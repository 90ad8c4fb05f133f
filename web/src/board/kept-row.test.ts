// Facts about the row at which a column of the board is again after a reload.
import { expect, test } from 'vitest'
import { rowOf } from './kept-row.ts'

const cards = (...ids: string[]) => ids.map((id) => ({ id }))
const place = { id: 'c', index: 2, hidden: 30 }

test('it is the row of the same card, wherever that is now', () => {
  expect(rowOf(place, cards('a', 'b', 'c', 'd'), false)).toEqual({ index: 2, hidden: 30 })
  expect(rowOf(place, cards('new', 'a', 'b', 'c'), true)).toEqual({ index: 3, hidden: 30 })
})

test('more pages are read until it is there', () => {
  expect(rowOf(place, cards('a', 'b'), false)).toBe('unread')
  expect(rowOf(place, cards(), false)).toBe('unread')
})

test('if its card has left the column, it is the row at its place, or the last one', () => {
  expect(rowOf(place, cards('a', 'b', 'd'), false)).toEqual({ index: 2, hidden: 0 })
  expect(rowOf(place, cards('a', 'b'), true)).toEqual({ index: 1, hidden: 0 })
  expect(rowOf(place, cards(), true)).toBeNull()
})
