// Facts about when a record that a page shows is read again, after reports, outages and slow reads.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReading } from './live-reading.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A record whose reads each take as long as the test says, by the fake clock, and a connection that the test opens and closes. */
function startReading(isLive: boolean) {
  const service = { isLive, takesMs: 0, isError: false, reads: 0 }
  const reading = createReading({
    isTold: () => service.isLive,
    isHidden: () => false,
    read: async () => {
      service.reads += 1
      const { takesMs, isError } = service
      await new Promise((resolve) => setTimeout(resolve, takesMs))
      return { isError }
    },
  })
  return { service, reading }
}

test('a read that failed after all its repetitions is followed by the next one within a second', async () => {
  const { service, reading } = startReading(false)
  Object.assign(service, { takesMs: 7_000, isError: true })
  reading.begin()
  await vi.advanceTimersByTimeAsync(8_000)
  expect(service.reads).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(service.reads).toBe(2)
})

test('a page that polls pauses after a slow read, so that a busy service gets no more to do', async () => {
  const { service, reading } = startReading(false)
  service.takesMs = 2_000
  reading.begin()
  await vi.advanceTimersByTimeAsync(1_000 + 2_000 + 7_900)
  expect(service.reads).toBe(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(service.reads).toBe(2)
})

test('a pause after a slow read ends when the connection is back and changes may have been missed', async () => {
  const { service, reading } = startReading(false)
  service.takesMs = 7_000
  reading.begin()
  await vi.advanceTimersByTimeAsync(8_500)
  Object.assign(service, { isLive: true, takesMs: 0 })
  reading.missed()
  await vi.advanceTimersByTimeAsync(200)
  expect(service.reads).toBe(2)
})

test('changes that may have been missed during a slow read are read right after it', async () => {
  const { service, reading } = startReading(false)
  service.takesMs = 7_000
  reading.begin()
  await vi.advanceTimersByTimeAsync(5_000)
  service.isLive = true
  reading.missed()
  await vi.advanceTimersByTimeAsync(3_000 + 200)
  expect(service.reads).toBe(2)
})

test('a reported change is read once for all that are reported meanwhile, and nothing is read without one', async () => {
  const { service, reading } = startReading(true)
  reading.begin()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(service.reads).toBe(0)
  reading.due()
  reading.due()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(service.reads).toBe(1)
})
