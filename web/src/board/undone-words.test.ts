// Facts about the words for what an Undo of a change of several tasks will start, and for what it has done.
import { expect, test } from 'vitest'
import { startsAgainWords, undoneWords } from './undone-words.ts'

test('all that was put back is told in one', () => {
  expect(undoneWords('“Tea”', 1, 0, 1)).toBe('“Tea” is as it was')
  expect(undoneWords('3 tasks', 3, 0, 3)).toBe('3 tasks are as they were')
})

test('what others have changed is told with its number', () => {
  expect(undoneWords('“Tea”', 0, 1, 1)).toBe('Nothing was undone: somebody has changed “Tea” meanwhile')
  expect(undoneWords('3 tasks', 0, 3, 3)).toBe('Nothing was undone: somebody has changed 3 tasks meanwhile')
  expect(undoneWords('3 tasks', 1, 2, 3)).toBe(
    '1 of 3 tasks is as it was; 2 stay as they are, because somebody has changed them',
  )
  expect(undoneWords('3 tasks', 2, 1, 3)).toBe(
    '2 of 3 tasks are as they were; 1 stays as it is, because somebody has changed it',
  )
})

test('what failed for another reason is not said to be changed', () => {
  expect(undoneWords('3 tasks', 2, 0, 3)).toBe('2 of 3 tasks are as they were')
  expect(undoneWords('“Tea”', 0, 0, 1)).toBe('Not undone')
})

test('an Undo that brings tasks back to a column with a live automation says that it may start it', () => {
  const words = (from: string[], automations: { enabled: boolean; on_status: 'backlog' | 'done' }[]) =>
    startsAgainWords(new Set(from), automations, (status) => (status === 'done' ? 'Done' : 'Backlog'))
  const on = (on_status: 'backlog' | 'done') => ({ enabled: true, on_status })
  expect(words(['done', 'in_progress'], [on('done'), on('done')])).toBe('. Undo may start the automations of Done')
  expect(words(['done', 'backlog'], [on('done'), on('backlog')])).toBe(
    '. Undo may start the automations of Done and Backlog',
  )
  expect(words(['done'], [on('backlog'), { ...on('done'), enabled: false }])).toBe('')
})
