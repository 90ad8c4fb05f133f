// Facts about reading the Range header.
import { expect, test } from 'vitest'
import { rangeOf } from './ranges.ts'

test.for([
  { header: 'bytes=0-0', range: { start: 0, end: 0 } },
  { header: 'bytes=2-5', range: { start: 2, end: 5 } },
  { header: 'bytes=7-', range: { start: 7, end: 9 } },
  { header: 'bytes=9-9', range: { start: 9, end: 9 } },
  { header: 'bytes=-3', range: { start: 7, end: 9 } },
  { header: 'Bytes= 1 - 2 ', range: { start: 1, end: 2 } },
])('$header of ten bytes is what it says', ({ header, range }) => {
  expect(rangeOf(header, 10)).toEqual(range)
})

test.for([
  { header: 'bytes=5-1000', range: { start: 5, end: 9 } },
  { header: `bytes=5-${'9'.repeat(400)}`, range: { start: 5, end: 9 } },
  { header: 'bytes=-1000', range: { start: 0, end: 9 } },
])('$header ends where the ten bytes end', ({ header, range }) => {
  expect(rangeOf(header, 10)).toEqual(range)
})

test.for(['bytes=10-', 'bytes=10-20', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])('no byte of ten is in %s', (header) => {
  expect(rangeOf(header, 10)).toBe('unsatisfiable')
})

test.for([undefined, '', 'bytes', 'bytes=', 'bytes=-', 'bytes=5-4', 'bytes=0-1,3-4', 'bytes=a-b', 'items=0-1', '0-1'])(
  'what is not one range of bytes is the whole: %s',
  (header) => {
    expect(rangeOf(header, 10)).toBe(null)
  },
)
