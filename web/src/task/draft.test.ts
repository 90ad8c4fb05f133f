// Facts about drafts: text that is typed over a value while others change the value.
import { expect, test } from 'vitest'
import { afterSave, begunOn, isDirty, isOvertaken, withValue } from './draft.ts'

const same = (a: string, b: string) => a.trim() === b.trim()
const typing = { typed: 'My words', base: 'Before' }

test('what others write shows where nothing is typed', () => {
  expect(withValue(begunOn('Before'), 'Theirs', same)).toEqual(begunOn('Theirs'))
  expect(withValue({ typed: 'Before ', base: 'Before' }, 'Theirs', same)).toEqual(begunOn('Theirs'))
})

test('what is typed is never replaced, and it is known that it was overtaken', () => {
  expect(withValue(typing, 'Theirs', same)).toBe(typing)
  expect(isOvertaken(typing, 'Theirs', same)).toBe(true)
  expect(isOvertaken(typing, 'Before', same)).toBe(false)
})

test('two people who wrote the same have no conflict', () => {
  expect(isOvertaken(typing, 'My words', same)).toBe(false)
  expect(withValue(typing, 'My words', same)).toEqual(begunOn('My words'))
})

test('what was saved is what later typing begins on, whether its answer has been drawn or not', () => {
  expect(isDirty(afterSave(typing, 'My words', 'Before', same), same)).toBe(false)
  expect(afterSave(typing, 'My words', 'My words', same)).toEqual(begunOn('My words'))
})

test('typing goes on while the words before it are saved', () => {
  const further = { typed: 'My words and more', base: 'Before' }
  expect(afterSave(further, 'My words', 'My words', same)).toEqual({ typed: 'My words and more', base: 'My words' })
  expect(afterSave(further, 'My words', 'Before', same)).toEqual({ typed: 'My words and more', base: 'My words' })
})

test('the service may write what was saved a little differently', () => {
  expect(afterSave({ typed: '5', base: '' }, '5', '5.00', same)).toEqual(begunOn('5.00'))
})
