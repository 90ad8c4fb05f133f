// Facts about the clock that all components share.
import { afterEach, expect, test, vi } from 'vitest'
import { serviceNow, setByService } from './use-now.ts'

const noon = Date.parse('2026-11-26T12:00:00Z')

afterEach(() => {
  vi.useRealTimers()
  setByService(new Date().toUTCString())
})

test("on a computer whose clock is wrong, it shows the service's time", () => {
  vi.useFakeTimers({ now: noon + 15 * 60_000 })
  setByService('Thu, 26 Nov 2026 12:00:00 GMT')
  expect(serviceNow()).toBe(noon)
  vi.advanceTimersByTime(60_000)
  expect(serviceNow()).toBe(noon + 60_000)
})

test('a computer whose clock was set right shows its own time again', () => {
  vi.useFakeTimers({ now: noon - 3_600_000 })
  setByService('Thu, 26 Nov 2026 12:00:00 GMT')
  expect(serviceNow()).toBe(noon)
  vi.setSystemTime(noon + 1_234)
  setByService('Thu, 26 Nov 2026 12:00:00 GMT')
  expect(serviceNow()).toBe(noon + 1_234)
})

test('a response without a readable date changes nothing', () => {
  vi.useFakeTimers({ now: noon })
  setByService('Thu, 26 Nov 2026 13:00:00 GMT')
  for (const date of [null, '', 'soon']) setByService(date)
  expect(serviceNow()).toBe(noon + 3_600_000)
})
