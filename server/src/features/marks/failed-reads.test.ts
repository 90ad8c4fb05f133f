// Facts about files that could not be read: for how many calls of the job they are left out.
import { expect, test } from 'vitest'
import { createFailedReads } from './failed-reads.ts'

/** Calls the job so often, with one file that can never be read; returns the calls in which the file was tried. */
function triesOf(calls: number): number[] {
  const failed = createFailedReads()
  const tried: number[] = []
  for (let call = 1; call <= calls; call++) {
    if (failed.begin().includes('gone')) continue
    tried.push(call)
    failed.add('gone')
  }
  return tried
}

test('a file that fails again and again is tried ever later, and at the latest after 512 calls', () => {
  expect(triesOf(40)).toEqual([1, 3, 6, 11, 20, 37])
  const [before = 0, last = 0] = triesOf(5000).slice(-2)
  expect(last - before).toBe(513)
})

test('a file that was read, or that failed too long ago to be remembered, is not left out', () => {
  const failed = createFailedReads()
  failed.begin()
  failed.add('read')
  failed.delete('read')
  for (let index = 0; index <= 5000; index++) failed.add(`${index}`)
  const left = failed.begin()
  expect([left.length, left.includes('read'), left.includes('0'), left.includes('1')]).toEqual([
    5000,
    false,
    false,
    true,
  ])
})
