// Facts about the choices of whose runs are listed.
import { expect, test } from 'vitest'
import { ownerChoices } from './owner-choices.ts'

const people = [
  { id: 'z', name: 'Zoe', email: 'zoe@x.test' },
  { id: 'me', name: 'Ann', email: 'ann@x.test' },
  { id: 'b1', name: 'Bo', email: 'bo@x.test' },
  { id: 'b2', name: 'Bo', email: 'bo2@x.test' },
]

test('everybody comes first, then the user, then the others by name and told apart', () => {
  expect(ownerChoices(people, 'me', undefined).map(({ label }) => label)).toEqual([
    'Everybody’s runs',
    'My runs',
    'Bo · bo@x.test',
    'Bo · bo2@x.test',
    'Zoe',
  ])
})

test('an owner whom the workspace does not know stays chosen, and a caller who is no person has no runs of their own', () => {
  expect(ownerChoices(people.slice(0, 1), null, 'gone')).toEqual([
    { value: '', label: 'Everybody’s runs' },
    { value: 'z', label: 'Zoe' },
    { value: 'gone', label: 'Unknown person' },
  ])
})
