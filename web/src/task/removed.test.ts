// Facts about finding text that was typed into a record that somebody else has removed, and the entry that tells the removal.
import { expect, test } from 'vitest'
import {
  commentDrafts,
  creativeDrafts,
  type RemovedText,
  textsOfComments,
  textsOfCreatives,
  textsOfVariants,
  variantDrafts,
} from './removed.ts'

const of = (removed: readonly RemovedText[]) => removed.map(({ key }) => key)
type Entry = Parameters<RemovedText['isRemoval']>[0]
const entry = (members: Partial<Entry>): Entry => ({ kind: 'task_changed', subject_id: null, changes: {}, ...members })

test('the text of a variant is without its variant as soon as no variant has its number', () => {
  const keys = ['1 audience', '2 key', '12 audience'].map((end) => variantDrafts('t') + end)
  const removed = textsOfVariants('t', keys, [{ variation_num: 1 }, { variation_num: 12 }])
  expect(of(removed)).toEqual([keys[1]])
  expect(removed[0]?.did).toBe('removed the variant V2 while you were changing its key.')
})

test('the entry that tells the removal of a variant has it before the change, and not after it', () => {
  const [removed] = textsOfVariants('t', [`${variantDrafts('t')}2 audience`], [])
  const [one, two] = [
    { key: 'v1', variation_num: 1 },
    { key: 'v2', variation_num: 2 },
  ]
  const told = (from: unknown, to: unknown) => removed?.isRemoval(entry({ changes: { variants: { from, to } } }))
  expect(told([two], [])).toBe(true)
  expect(told([two], [{ ...two, key: 'hero' }])).toBe(false)
  expect(told([], [two])).toBe(false)
  expect(told([one], [])).toBe(false)
  expect(told(['v2'], [])).toBe(false)
  expect(removed?.isRemoval(entry({ changes: { name: { from: 'a', to: 'b' } } }))).toBe(false)
})

test('the text of a creative or a comment is without its record as soon as that is not in the list', () => {
  const creativeKeys = ['a name', 'b name'].map((end) => creativeDrafts('t') + end)
  const [creative, ...others] = textsOfCreatives('t', creativeKeys, [{ id: 'a' }], () => 'Hero')
  expect(others).toEqual([])
  expect(creative?.key).toBe(creativeKeys[1])
  expect(creative?.did).toBe('deleted the creative “Hero” while you were changing its name.')
  expect(creative?.isRemoval(entry({ kind: 'creative_deleted', subject_id: 'b' }))).toBe(true)
  expect(creative?.isRemoval(entry({ kind: 'creative_deleted', subject_id: 'a' }))).toBe(false)

  const commentKeys = ['a', 'b'].map((end) => commentDrafts('t') + end)
  const [comment] = textsOfComments('t', commentKeys, [{ id: 'a' }])
  expect(comment?.key).toBe(commentKeys[1])
  expect(comment?.isRemoval(entry({ kind: 'comment_deleted', subject_id: 'b' }))).toBe(true)
  expect(comment?.isRemoval(entry({ kind: 'comment_changed', subject_id: 'b' }))).toBe(false)
})
