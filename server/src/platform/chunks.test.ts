// Facts about splitting a long sequence into parts of bounded size.
import { expect, test } from 'vitest'
import { chunksOf } from './chunks.ts'

const parts = (bytes: readonly number[]): number[][] => [
  ...chunksOf(bytes, { count: 3, bytes: 10 }, (one) => ({ count: 1, bytes: one })),
]

test('parts keep the order, and are as large as count and bytes allow', () => {
  expect(parts([1, 1, 1, 1, 5, 5, 5])).toEqual([
    [1, 1, 1],
    [1, 5],
    [5, 5],
  ])
})

test('what is larger than a part may be stands alone', () => {
  expect(parts([4, 40, 4])).toEqual([[4], [40], [4]])
  expect(parts([])).toEqual([])
})
