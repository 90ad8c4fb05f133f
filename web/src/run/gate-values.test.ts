// Facts about how a value is edited as text at a gate.
import { expect, test } from 'vitest'
import { entryOf } from './gate-values.ts'

const edited = (value: unknown, typed: string) => entryOf(value).read(typed)

test('a list with empty entries keeps them when another entry is corrected, and says how many there are', () => {
  const list = ['First bodi', '', 'Third', '']
  expect(entryOf(list).words).toBe('One entry a line: 4 entries, 2 of them empty.')
  expect(edited(list, 'First body\n\nThird\n')).toEqual({ value: ['First body', '', 'Third', ''] })
  expect(edited(list, 'First body\n\nThird\n\n\n')).toEqual({ value: ['First body', '', 'Third', ''] })
})

test('in a list without empty entries, blank lines are no entries', () => {
  expect(edited(['a', 'b'], 'a\n\nc\n')).toEqual({ value: ['a', 'c'] })
  expect(entryOf(['a', 'b']).words).toBe('One entry a line.')
})

test('a list that is left alone stays as it is', () => {
  for (const list of [[], [''], ['', ''], ['a', '', 'b']])
    expect(edited(list, list.join('\n'))).toEqual({ value: list })
})
