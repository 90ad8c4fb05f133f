// Facts about the keys under which guests' unsent texts are kept.
import { expect, test } from 'vitest'
import { draftKey, draftsOf, isDraftOf, presentKey } from './guest-drafts.ts'

const drafts = draftsOf('atg_1', { name: 'Ann' })

test('a text that version 0.3.0 kept goes to the guest of the only link by which the browser has entered', () => {
  expect(presentKey('some-id guest comment', drafts, true)).toBe(draftKey(drafts, 'some-id', 'comment'))
  expect(presentKey('some-id guest answer', drafts, true)).toBe(draftKey(drafts, 'some-id', 'answer'))
})

test('such a text is dropped where it may be of the guest of another link', () => {
  expect(presentKey('some-id guest comment', drafts, false)).toBeNull()
  expect(presentKey('some-id guest answer', drafts, false)).toBeNull()
})

test('a text of this version keeps its key', () => {
  for (const name of ['Ann', 'Ann guest', 'Ann x guest comment']) {
    const key = draftKey(draftsOf('atg_2', { name }), 'some-id', 'comment')
    for (const isOnlyLink of [true, false]) expect(presentKey(key, drafts, isOnlyLink)).toBe(key)
  }
})

test('a text is of the guest whose link and name its key has, and not of one whose name is the beginning of that name', () => {
  for (const kind of ['comment', 'answer', 'reason'] as const)
    expect(isDraftOf(drafts, draftKey(drafts, 'some-id', kind))).toBe(true)
  for (const other of [draftsOf('atg_1', { name: 'Ann Lee' }), draftsOf('atg_2', { name: 'Ann' })]) {
    expect(isDraftOf(drafts, draftKey(other, 'some-id', 'answer'))).toBe(false)
  }
  expect(isDraftOf(drafts, 'some-id guest comment')).toBe(false)
})
