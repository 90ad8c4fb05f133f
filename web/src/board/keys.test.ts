// Facts about keys on the board.
import { expect, test } from 'vitest'
import { boardShortcuts, meaningOf } from './keys.ts'

const lengths = [3, 0, 1]

test('the first step goes to the first card there is', () => {
  expect(meaningOf('j', null, [0, 2])).toEqual({ kind: 'go', to: { column: 1, row: 0 } })
  expect(meaningOf('j', null, [0, 0])).toBeNull()
})

test('j and k walk a column and stop at its ends', () => {
  expect(meaningOf('j', { column: 0, row: 1 }, lengths)).toEqual({ kind: 'go', to: { column: 0, row: 2 } })
  expect(meaningOf('ArrowDown', { column: 0, row: 2 }, lengths)).toBeNull()
  expect(meaningOf('k', { column: 0, row: 0 }, lengths)).toBeNull()
})

test('sideways goes over empty columns, to the row or the last one', () => {
  expect(meaningOf('l', { column: 0, row: 2 }, lengths)).toEqual({ kind: 'go', to: { column: 2, row: 0 } })
  expect(meaningOf('ArrowLeft', { column: 2, row: 0 }, lengths)).toEqual({ kind: 'go', to: { column: 0, row: 0 } })
  expect(meaningOf('h', { column: 0, row: 0 }, lengths)).toBeNull()
})

test('other keys ask for something, or mean nothing', () => {
  expect(meaningOf('/', null, lengths)).toEqual({ kind: 'search' })
  expect(meaningOf('q', null, lengths)).toBeNull()
})

test('the help says of every key what it does', () => {
  const shown = boardShortcuts.flatMap(([, keys]) => keys.map(([key]) => key))
  for (const key of ['/', 'f', 'j  k', 'h  l', 'n', 'x', 'b', 'm', 'z', 'Del', 'Esc']) expect(shown).toContain(key)
  expect(new Set(shown).size).toBe(shown.length)
})
