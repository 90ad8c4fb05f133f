// Facts about the names of the owners of budgets.
import { expect, test } from 'vitest'
import { ownerChoices, ownerNames, sortedBudgets } from './budget-owners.ts'

test('the budgets of people of equal names are told apart by the addresses of the people', () => {
  const nameOf = ownerNames({
    tokens: [],
    people: [
      { id: 'a', name: 'Ada', email: 'ada@example.org' },
      { id: 'b', name: 'Ada', email: 'other@example.org' },
      { id: 'c', name: 'Bo', email: 'bo@example.org' },
      { id: 'd', name: null, email: 'cy@example.org' },
    ],
  })
  const named = ['a', 'b', 'c', 'd', 'token', null].map((person_id) => nameOf({ person_id }))
  expect(named).toEqual([
    'Ada · ada@example.org',
    'Ada · other@example.org',
    'Bo',
    'cy@example.org',
    'An integration',
    'Everybody',
  ])
})

test('integrations are named by their tokens, and a budget is set for those that are not revoked and act for nobody', () => {
  const token = { user_id: null, revoked_at: null }
  const tokens = [
    { ...token, id: 'sync', name: 'Nightly sync' },
    { ...token, id: 'old', name: 'Old sync', revoked_at: '2026-03-04T12:00:00.000Z' },
    { ...token, id: 'mine', name: 'My script', user_id: 'a' },
  ]
  const owners = { people: [{ id: 'a', name: 'Ada', email: null }], tokens }
  expect(['sync', 'old'].map((person_id) => ownerNames(owners)({ person_id }))).toEqual(['Nightly sync', 'Old sync'])
  expect(ownerChoices(owners)).toEqual([
    { group: 'People', items: [{ value: 'a', label: 'Ada' }] },
    { group: 'Integrations', items: [{ value: 'sync', label: 'Nightly sync' }] },
  ])
})

test('budgets are in the order of names, after that of everybody, and are found by a part of a name in any case', () => {
  const people = ['Person 10', 'Person 9', 'Österberg', 'Ada'].map((name) => ({ id: name, name, email: null }))
  const nameOf = ownerNames({ people, tokens: [] })
  const budgets = [...people.map(({ id }) => id), null].map((person_id) => ({
    ...{ id: String(person_id), person_id, period: 'month' as const, amount: 1, spent: 0, held: 0 },
    ...{ set_by: null, set_at: '2026-03-04T12:00:00.000Z', amount_before: null },
  }))
  const found = (wanted: string) => sortedBudgets(budgets, nameOf, wanted).map(({ person_id }) => person_id)
  expect(found('')).toEqual([null, 'Ada', 'Österberg', 'Person 9', 'Person 10'])
  expect(found(' person ')).toEqual(['Person 9', 'Person 10'])
  expect(found('nobody')).toEqual([])
})
