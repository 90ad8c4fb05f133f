// Facts about the name, the initials and the colour of a person.
import { expect, test } from 'vitest'
import { authorName, hueOf, initialsOf } from './people.ts'

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

test('a person without a name is no integration', () => {
  expect(authorName({ user_id: 'mia', name: 'Mia' })).toBe('Mia')
  expect(authorName({ user_id: 'mia', name: null })).toBe('Unnamed')
  expect(authorName({ user_id: null, name: null })).toBe('An integration')
  expect(authorName({ user_id: null, name: 'Ads API' })).toBe('Ads API')
})
