// Facts about who can be chosen as a reviewer, and how reviewers are named.
import type { Role } from '@atelier/contract/enums.ts'
import { expect, test } from 'vitest'
import { reviewerChoices, reviewerName } from './reviewer-choices.ts'

const person = (id: string, name: string | null, active: boolean, role: Role = 'writer') =>
  [id, { id, name, active, role, email: `${id}@example.org` }] as const
const people = new Map([
  person('a', 'Ann', true),
  person('b', 'Bob', false),
  person('c', 'Cleo', false),
  person('d', null, true),
  person('r', 'Rita', true, 'reader'),
  person('s', 'Sam', true, 'reader'),
])

test('only people who may decide are offered, besides those who were chosen before they lost that', () => {
  expect(reviewerChoices(people, ['b', 'r', 'unknown'])).toEqual([
    { value: 'a', label: 'Ann' },
    { value: 'b', label: 'Bob (has no access)' },
    { value: 'd', label: 'Unnamed' },
    { value: 'r', label: 'Rita (may not decide)' },
  ])
})

test('of two people who are called the same, the address is said', () => {
  const twins = new Map([person('e', 'Ann', true), person('f', 'Ann', true), person('g', 'Ann', false)])
  expect(reviewerChoices(twins, ['g']).map(({ label }) => label)).toEqual([
    'Ann · e@example.org',
    'Ann · f@example.org',
    'Ann (has no access)',
  ])
})

test('where a decision is waited for, it is said that somebody has no access', () => {
  expect(['a', 'b', 'unknown'].map((id) => reviewerName(people.get(id)))).toEqual([
    'Ann',
    'Bob (has no access)',
    'Somebody',
  ])
})
