// Facts about changing the list of a task's variants.
import type { TaskVariant } from '@atelier/contract/tasks.ts'
import { expect, test } from 'vitest'
import { ChangedMeanwhile } from '../lib/conflict.ts'
import { checkSeen, nextVariant, withAdded, withEdited, withoutChange, withRemoved } from './variant-list.ts'

const first = nextVariant([])

test('a new variant has the next number and a key of its own', () => {
  expect(first).toMatchObject({ key: 'v1', variation_num: 1 })
  expect(nextVariant([{ ...first, key: 'v5', variation_num: 4 }])).toMatchObject({ key: 'v5-2', variation_num: 5 })
})

test('a changed variant keeps one place, in the order of numbers', () => {
  const second = nextVariant([first])
  const list = withEdited([first, second], first, { ...first, key: 'hero', variation_num: 9 })
  expect(list.map(({ key }) => key)).toEqual(['v2', 'hero'])
})

test('what one changes is written over what others have made of the rest, and not over what they wrote in it', () => {
  const theirs = { ...first, key: 'renamed', audience: 'Parents' }
  const edited = (change: Partial<TaskVariant>, now = [theirs]) => withEdited(now, first, { ...first, ...change })
  expect(edited({ hook_type: 'QUESTION', tag_slugs: ['a'] })).toEqual([
    { ...theirs, hook_type: 'QUESTION', tag_slugs: ['a'] },
  ])
  expect(edited({ audience: 'Parents' })).toEqual([theirs])
  expect(() => edited({ hook_type: 'QUESTION', audience: 'Commuters' })).toThrow(ChangedMeanwhile)
  expect(() => edited({ audience: 'Commuters' }, [])).toThrow('Variant v1 is not there any more')
})

test('a new variant leaves the one alone that another has added meanwhile, and keeps the key that its author chose', () => {
  const proposed = nextVariant([first])
  const theirs = { ...proposed, audience: 'Parents' }
  const added = (next: TaskVariant) => withAdded([first, theirs], proposed, next)
  expect(withAdded([first], proposed, proposed)).toEqual([first, proposed])
  expect(added({ ...proposed, audience: 'Commuters' })).toEqual([
    first,
    theirs,
    { ...proposed, key: 'v3', variation_num: 3, audience: 'Commuters' },
  ])
  expect(added({ ...proposed, key: 'hero' })[2]).toMatchObject({ key: 'hero', variation_num: 3 })
})

test('a variant is removed unless somebody else has edited it', () => {
  const second = nextVariant([first])
  const completed = { ...first, completed: true }
  expect(withRemoved([completed, second], first)).toEqual({ variants: [second], removed: completed })
  expect(withRemoved([second], first)).toEqual({ variants: [second], removed: null })
  const own = { ...first, audience: 'Commuters' }
  expect(withRemoved([own, second], first, own)).toEqual({ variants: [second], removed: own })
  expect(() => withRemoved([{ ...first, audience: 'Parents' }, second], first)).toThrow(ChangedMeanwhile)
})

test('a variant that is saved again, because the answer was lost, is not added twice', () => {
  const proposed = nextVariant([first])
  const next = { ...proposed, audience: 'Commuters' }
  const saved = [first, { ...next, completed: true }]
  expect(withAdded(saved, proposed, next)).toEqual(saved)
})

test('a change is undone without what others have added or edited since', () => {
  const [second, third] = [nextVariant([first]), { ...nextVariant([first]), key: 'theirs', variation_num: 3 }]
  const replaced = { ...first, audience: 'Parents' }
  const change = { before: [first], after: [replaced, second] }
  expect(withoutChange([replaced, second, third], change)).toEqual([first, third])
  expect(withoutChange([third], { before: [first], after: [] })).toEqual([first, third])
  expect(() => withoutChange([replaced, { ...second, hook_type: 'QUESTION' }], change)).toThrow(ChangedMeanwhile)
  expect(() => withoutChange([replaced], change)).toThrow(ChangedMeanwhile)
  const removal = { before: [first], after: [] }
  expect(() => withoutChange([replaced], removal)).toThrow(ChangedMeanwhile)
})

test('a change of many variants is made of the list as it is now, and not over what others wrote in the same place', () => {
  const seen = [first]
  const theirs = { ...first, audience: 'Parents' }
  const added = { ...nextVariant([first]), key: 'hero' }
  const check = (now: TaskVariant[], next: TaskVariant[]) => () => checkSeen(seen, now, next)
  expect(check([theirs], [{ ...theirs, hook_type: 'QUESTION' }, added])).not.toThrow()
  expect(check([theirs, added], [theirs, added])).not.toThrow()
  expect(check([theirs], [{ ...theirs, audience: 'Commuters' }])).toThrow(ChangedMeanwhile)
  expect(check([first, added], [first, { ...added, audience: 'Commuters' }])).toThrow(ChangedMeanwhile)
  expect(check([], [first])).toThrow(ChangedMeanwhile)
})
