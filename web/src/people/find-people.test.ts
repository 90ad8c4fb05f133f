// Facts about finding people in the list of the workspace.
import { expect, test } from 'vitest'
import { findPeople, isLong } from './find-people.ts'

const people = [
  { name: 'Ann Lee', email: 'a@x.test' },
  { name: null, email: 'lee@x.test' },
  { name: 'Bo', email: null },
]

test('people are found by a part of their name or address, in any case; nothing typed finds everybody', () => {
  expect(findPeople(people, ' LEE')).toEqual(people.slice(0, 2))
  expect(findPeople(people, 'bo')).toEqual(people.slice(2))
  expect(findPeople(people, '')).toEqual(people)
  expect(findPeople([{ name: null, email: null }], '')).toHaveLength(1)
})

test('a list has the field from 21 people on', () => {
  expect([20, 21].map((length) => isLong(Array.from({ length })))).toEqual([false, true])
})
