// Facts about repeating changes that were based on an old revision.
import { expect, test } from 'vitest'
import { mayRepeat, withOwn } from './conflict.ts'

const seen = { name: 'A', subtopics: ['x'], priority: 2 }

test('a change of what nobody else touched may be made all the same', () => {
  expect(mayRepeat(seen, { ...seen, priority: 1 }, { name: 'B' })).toBe(true)
  expect(mayRepeat(seen, { ...seen, subtopics: ['x'] }, { subtopics: [] })).toBe(true)
})

test('a change of what somebody else changed may not', () => {
  expect(mayRepeat(seen, { ...seen, name: 'C' }, { name: 'B', priority: 1 })).toBe(false)
})

test('what I have written myself since I saw it is not the change of somebody else', () => {
  const now = { name: 'mine', topic: 'theirs' }
  const known = withOwn({ name: 'A', topic: 'A' }, now, { name: 'mine', topic: 'mine' })
  expect(mayRepeat(known, now, { name: 'again' })).toBe(true)
  expect(mayRepeat(known, now, { topic: 'again' })).toBe(false)
})
