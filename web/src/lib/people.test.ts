// Facts about the initials and the colour of a person.
import { expect, test } from 'vitest'
import { hueOf, initialsOf } from './people.ts'

test('initials are of the first and last word', () => {
  expect(initialsOf('Ada Maria Lovelace')).toBe('AL')
  expect(initialsOf('  nora ')).toBe('N')
  expect(initialsOf('Ødegård Å')).toBe('ØÅ')
  expect(initialsOf(null)).toBe('?')
})

test('a person keeps a colour, and people differ', () => {
  expect(hueOf('0190-a')).toBe(hueOf('0190-a'))
  expect(new Set(['a', 'b', 'c', 'd'].map(hueOf)).size).toBeGreaterThan(2)
})
