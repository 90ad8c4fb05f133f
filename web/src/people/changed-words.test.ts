// Facts about what an admin is told of a person whom they have changed in the list.
import { expect, test } from 'vitest'
import { changedWords } from './changed-words.ts'

const ann = { name: 'Ann', role: 'reader', active: true } as const

test('a changed role is named, and so is that somebody has access again or not any more', () => {
  expect(changedWords(ann, { ...ann, role: 'writer' })).toBe('Ann is now writer')
  expect(changedWords(ann, { ...ann, active: false })).toBe('Ann has no access any more')
  expect(changedWords({ ...ann, active: false }, ann)).toBe('Ann has access again')
})
