// Facts about the names in a pasted list.
import { expect, test } from 'vitest'
import { mostPasted, pastedNames, refusedNames } from './pasted-names.ts'

test('each line that is not blank is a name, without the bullet of a list', () => {
  expect(pastedNames('Alpha\r\n\n- Beta two\n\t• Gamma\tthree \n-5 %\n')).toEqual([
    'Alpha',
    'Beta two',
    'Gamma three',
    '-5 %',
  ])
})

test('one line is no list', () => {
  for (const text of ['', 'Alpha', 'Alpha\n', '\n\nAlpha\n  \n']) expect(pastedNames(text)).toBeNull()
})

test('a list that is too long, or has a name that is, is refused', () => {
  expect(refusedNames(['a', 'b'])).toBeNull()
  expect(refusedNames(['a', '😀'.repeat(255)])).toBeNull()
  expect(refusedNames(['a', 'b'.repeat(256)])).toBe('Name 2 has more than 255 characters.')
  expect(refusedNames(Array.from({ length: mostPasted + 1 }, () => 'a'))).toMatch(/200 names at most/)
})
