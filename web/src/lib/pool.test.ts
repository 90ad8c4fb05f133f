// Facts about processing many items, only a limited number of them at a time.
import { expect, test } from 'vitest'
import { settleAll } from './pool.ts'

test('no more than so many at a time, every outcome at its place, and each end is told', async () => {
  let running = 0
  let most = 0
  const told: number[] = []
  const outcomes = await settleAll(
    [1, 2, 3, 4, 5, 6, 7],
    3,
    async (item) => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      if (item === 4) throw new Error('four')
      return item * 10
    },
    (over) => told.push(over),
  )
  expect(most).toBe(3)
  expect(told).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed'))).toEqual([
    10,
    20,
    30,
    'failed',
    50,
    60,
    70,
  ])
  expect(await settleAll([], 3, Promise.resolve, () => undefined)).toEqual([])
})
