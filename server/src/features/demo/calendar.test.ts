// Facts about the times of the demo's stories.
import { describe, expect, test } from 'vitest'
import { deadlineOf, momentOf } from './calendar.ts'
import { demoTasks } from './content.ts'

const friday = '2026-11-20T11:30:00.000Z'

describe('a moment', () => {
  test('lies on a working day before today', () => {
    expect(momentOf(friday, 1, '09:15')).toBe('2026-11-19T09:15:00.000Z')
    expect(momentOf(friday, 5, '09:15')).toBe('2026-11-13T09:15:00.000Z')
  })

  test('is on the same days all weekend', () => {
    for (const day of ['21', '22', '23']) {
      expect(momentOf(`2026-11-${day}T08:00:00.000Z`, 1, '17:00')).toBe('2026-11-20T17:00:00.000Z')
    }
  })

  test('of today counts back from now', () => {
    expect(momentOf(friday, 0, '02:45')).toBe('2026-11-20T08:45:00.000Z')
  })
})

test('a deadline is at five on a working day', () => {
  expect(deadlineOf(friday, 1)).toBe('2026-11-23T17:00:00.000Z')
  expect(deadlineOf(friday, -4)).toBe('2026-11-16T17:00:00.000Z')
})

/** Times at which a demo may be set up: every ninety minutes of a week, which covers all parts of the day, midnight included. */
const starts = Array.from({ length: 7 * 16 }, (_, step) =>
  new Date(Date.parse('2026-11-16T00:00:00.000Z') + step * 90 * 60_000).toISOString(),
)

test('every story goes forward and ends before now, whenever it is told', () => {
  const wrong = starts.flatMap((now) =>
    demoTasks.flatMap(({ key, created: [day, time], steps }) => {
      const moments = [{ day, time }, ...steps].map((step) => Date.parse(momentOf(now, step.day, step.time)))
      const rising = moments.every((moment, at) => at === 0 || moment > (moments[at - 1] ?? 0))
      return rising && Math.max(...moments) < Date.parse(now) ? [] : [`${key} at ${now}`]
    }),
  )
  expect(wrong).toEqual([])
})
