// Facts about turns: how many are taken at once, who waits, and for how long.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTurns } from './turns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const limited = (most: number, waitMs = 100_000, turnMs = 1_000_000) =>
  createTurns({ most, mostWaiting: 2, waitMs, turnMs, what: 'lookups are being answered' })

/** Says of a promise whether it has been resolved, as soon as everything that is due has happened. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false
  void promise.then(() => {
    done = true
  })
  await vi.advanceTimersByTimeAsync(0)
  return done
}

test('whoever comes when all turns are taken waits until one of them ends', async () => {
  const turns = limited(2)
  const [first] = [await turns(), await turns()]
  const [third, fourth] = [turns(), turns()]
  expect(await isDone(third)).toBe(false)
  first()
  first() // ending a turn twice ends no other one
  expect([await isDone(third), await isDone(fourth)]).toEqual([true, false])
})

test('whoever would wait behind too many others is refused at once', async () => {
  const turns = limited(1)
  for (const waiting of [await turns(), turns(), turns()]) void waiting
  await expect(turns()).rejects.toMatchObject({ code: 'overloaded' })
})

test('who has waited too long is refused, and takes no turn', async () => {
  const turns = limited(1, 1_000)
  const end = await turns()
  const refused = turns().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await refused).toMatchObject({
    code: 'overloaded',
    message: '1 lookups are being answered; ask again in a moment.',
  })
  end()
  expect(await isDone(turns())).toBe(true)
})

test('a turn ends after its time', async () => {
  const turns = limited(1, 100_000, 60_000)
  await turns()
  const second = turns()
  await vi.advanceTimersByTimeAsync(59_999)
  expect(await isDone(second)).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await isDone(second)).toBe(true)
})
