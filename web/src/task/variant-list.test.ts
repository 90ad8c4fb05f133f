// Facts about changing the list of a task's variants.
import { expect, test } from 'vitest'
import { ChangedMeanwhile } from './conflict.ts'
import { nextVariant, withMember, withoutChange, withVariant } from './variant-list.ts'

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

test('a change is undone without what others have added or edited since', () => {
  const [second, third] = [nextVariant([first]), { ...nextVariant([first]), key: 'theirs', variation_num: 3 }]
  const replaced = { ...first, audience: 'Parents' }
  const change = { before: [first], after: [replaced, second] }
  expect(withoutChange([replaced, second, third], change)).toEqual([first, third])
  expect(withoutChange([third], { before: [first], after: [] })).toEqual([first, third])
  expect(() => withoutChange([replaced, { ...second, hook_type: 'QUESTION' }], change)).toThrow(ChangedMeanwhile)
  expect(() => withoutChange([replaced], change)).toThrow(ChangedMeanwhile)
})
