// Facts about the names of the owners of budgets.
import { expect, test } from 'vitest'
import { ownerNames } from './budget-owners.ts'

test('the budgets of people of equal names are told apart by the addresses of the people', () => {
  const nameOf = ownerNames([
    { id: 'a', name: 'Ada', email: 'ada@example.org' },
    { id: 'b', name: 'Ada', email: 'other@example.org' },
    { id: 'c', name: 'Bo', email: 'bo@example.org' },
    { id: 'd', name: null, email: 'cy@example.org' },
  ])
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
