// Facts about which worker takes a run.
import { expect, test } from 'vitest'
import { leaveToOthersMs } from './take-work.ts'

const idle = { runs: 0, isFull: false, hasOthers: true, isShort: false }

test('a worker leaves a run to those that have less to do, and takes it at once where nothing is gained by waiting', () => {
  const waits = [idle, { ...idle, runs: 1 }, { ...idle, runs: 5 }, { ...idle, runs: 5, isFull: true }].map(
    leaveToOthersMs,
  )
  expect(waits).toEqual([...new Set(waits)].toSorted((a, b) => a - b))
  expect(waits[0]).toBe(0)
  expect(leaveToOthersMs({ ...idle, runs: 900, isFull: true })).toBeLessThanOrEqual(100)
  expect(leaveToOthersMs({ ...idle, runs: 7, isFull: true, hasOthers: false })).toBe(0)
  expect(leaveToOthersMs({ ...idle, runs: 7, isFull: true, isShort: true })).toBe(0)
})
