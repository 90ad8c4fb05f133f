// Facts about the names of the owners of budgets.
import { expect, test } from 'vitest'
import { ownerChoices, ownerNames } from './budget-owners.ts'

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
