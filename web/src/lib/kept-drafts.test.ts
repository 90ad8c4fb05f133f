// Facts about unsaved text that is kept.
import { afterEach, expect, test, vi } from 'vitest'
import { forgetAllBut, keepDraft, keptDraft } from './kept-drafts.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('of the drafts that begin alike, only those of records that are still there are kept', () => {
  vi.stubGlobal('addEventListener', () => undefined)
  const isText = (value: unknown) => typeof value === 'string'
  const keys = ['task comment 1', 'task comment 2', 'task notes', 'other comment 1']
  for (const key of keys) keepDraft(key, { typed: key, base: '', left: false })
  const left = () => keys.filter((key) => keptDraft(key, isText) !== null)
  forgetAllBut('task comment ', ['task comment 2', 'task comment 3'])
  expect(left()).toEqual(['task comment 2', 'task notes', 'other comment 1'])
  forgetAllBut('', [])
  expect(left()).toEqual([])
})
