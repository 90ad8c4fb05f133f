// Facts about changing the list of a task's variants.
import { expect, test } from 'vitest'
import { ChangedMeanwhile } from './conflict.ts'
import { nextVariant, withMember, withVariant } from './variant-list.ts'

const first = nextVariant([])

test('a new variant has the next number and a key of its own', () => {
  expect(first).toMatchObject({ key: 'v1', variation_num: 1 })
  expect(nextVariant([{ ...first, key: 'v5', variation_num: 4 }])).toMatchObject({ key: 'v5-2', variation_num: 5 })
})

test('a changed variant keeps one place, in the order of numbers', () => {
  const second = nextVariant([first])
  const list = withVariant([first, second], 'v1', { ...first, key: 'hero', variation_num: 9 })
  expect(list.map(({ key }) => key)).toEqual(['v2', 'hero'])
})

test('a cell is written over what others have made of the rest, and not over what they wrote in it', () => {
  const theirs = { ...first, key: 'renamed', audience: 'Parents' }
  expect(withMember([theirs], first, 'hook_type', 'QUESTION')).toEqual([{ ...theirs, hook_type: 'QUESTION' }])
  expect(() => withMember([theirs], first, 'audience', 'Commuters')).toThrow(ChangedMeanwhile)
  expect(() => withMember([], first, 'audience', 'Commuters')).toThrow('Variant v1 is not there any more')
})
