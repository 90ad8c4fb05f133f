// Facts about the turns of large lookups: how many begin at once, who waits, and for how long.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLargeLookups, untilSent } from './large-lookups.ts'

const large = { ad_ids: Array.from({ length: 100 }, (_, index) => `${index}`) }
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Says of a promise whether it has been resolved, as soon as everything that is due has happened. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false
  void promise.then(() => {
    done = true
  })
  await vi.advanceTimersByTimeAsync(0)
  return done
}

test('a large lookup waits until one of those before it has ended; a small one does not wait', async () => {
  const lookups = createLargeLookups(2)
  const [first] = [await lookups.turn(large), await lookups.turn(large)]
  const third = lookups.turn({ names: ['a', ...large.ad_ids.slice(1)] })
  expect(await isDone(third)).toBe(false)
  expect(await isDone(lookups.turn({ ad_ids: large.ad_ids.slice(1) }))).toBe(true)
  first()
  first() // ending a turn twice ends no other one
  expect(await isDone(third)).toBe(true)
  expect(await isDone(lookups.turn(large))).toBe(false)
})

test('who has waited too long is refused, and takes no turn', async () => {
  const lookups = createLargeLookups(1, 1_000, 60_000)
  const end = await lookups.turn(large)
  const refused = expect(lookups.turn(large)).rejects.toMatchObject({ code: 'overloaded' })
  await vi.advanceTimersByTimeAsync(1_000)
  await refused
  end()
  expect(await isDone(lookups.turn(large))).toBe(true)
})

test('a turn ends after its time, although its response is still being read', async () => {
  const lookups = createLargeLookups(1, 100_000, 60_000)
  await lookups.turn(large)
  const second = lookups.turn(large)
  await vi.advanceTimersByTimeAsync(59_999)
  expect(await isDone(second)).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await isDone(second)).toBe(true)
})

test.for([3, 1])('a turn ends with the response, whole or broken off (%i parts are read)', (wanted) => {
  const end = vi.fn()
  const read: string[] = []
  for (const part of untilSent(['a', 'b', 'c'], end)) {
    expect(end).not.toHaveBeenCalled()
    read.push(part)
    if (read.length === wanted && wanted < 3) break
  }
  expect([read.length, end.mock.calls.length]).toEqual([wanted, 1])
})
