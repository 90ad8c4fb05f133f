// Facts about what lists show beside records with the same name, so that users can distinguish them.
import { expect, test } from 'vitest'
import { changesApart, namedApart } from './apart.ts'
import { fullWords } from './dates.ts'

test('people of one name are told apart by their addresses, or by their ids where there is none', () => {
  const people = [
    { id: 'a', name: 'Ann', email: 'ann@example.org' },
    { id: '0190c1f2aaaa', name: 'Ann', email: null },
    { id: 'b', name: 'Bob', email: 'bob@example.org' },
    { id: 'c', name: null, email: 'c@example.org' },
    { id: 'd', name: null, email: null },
  ]
  expect(namedApart(people).map(({ name }) => name)).toEqual([
    'Ann · ann@example.org',
    'Ann · c1f2aaaa',
    'Bob',
    'c@example.org',
    'Unnamed',
  ])
})

test('graphs of one name are told apart by when they were changed', () => {
  const [early, late] = ['2026-03-01T10:00:00Z', '2026-04-01T10:00:00Z'] as const
  const graphs = [
    { id: 'a', name: 'Hooks', updated_at: late },
    { id: 'b', name: 'Covers', updated_at: late },
    { id: 'c', name: 'Hooks', updated_at: early },
  ]
  expect([...changesApart(graphs)]).toEqual([
    ['a', `Changed ${fullWords(late)}`],
    ['c', `Changed ${fullWords(early)}`],
  ])
})
