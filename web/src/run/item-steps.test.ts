// Facts about which items the view of one item steps through, and how it counts them.
import { expect, test } from 'vitest'
import { stepsFrom } from './item-steps.ts'

test('from an item one steps through all, which are counted', () => {
  expect(stepsFrom(0, [0, 1, 2], 'all')).toEqual({ before: null, next: 1, words: '1 of 3' })
  expect(stepsFrom(2, [0, 1, 2], 'all')).toEqual({ before: 1, next: null, words: '3 of 3' })
})

test('of a filtered list one steps through what the filter left, and is told the number of the item too', () => {
  expect(stepsFrom(6, [1, 6, 9], 'failed')).toEqual({ before: 1, next: 9, words: 'Item 7, 2 of 3 failed' })
  expect(stepsFrom(4, [4], 'open')).toEqual({ before: null, next: null, words: 'Item 5, 1 of 1 not done' })
})
