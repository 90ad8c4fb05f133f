// Facts about times and durations as text.
import { describe, expect, test } from 'vitest'
import {
  agoWords,
  deadlineOf,
  durationMs,
  fromLocalInput,
  latestLocalInput,
  leftOf,
  spanWords,
  timeProblem,
  toLocalInput,
  typedTime,
  workWords,
} from './dates.ts'

const now = Date.parse('2026-03-04T12:00:00.000Z')
const at = (ms: number) => new Date(now + ms).toISOString()
const hour = 3_600_000
const day = 24 * hour

describe('windows', () => {
  test('an ISO 8601 duration is so many milliseconds', () => {
    expect(durationMs('P30D')).toBe(30 * day)
    expect(durationMs('P1WT2H3M4S')).toBe(7 * day + 2 * hour + 184_000)
    expect(durationMs('nonsense')).toBe(0)
  })

  test('what is left never falls below zero', () => {
    expect(leftOf(at(-day), 30 * day, now)).toBe(29 * day)
    expect(leftOf(at(-40 * day), 30 * day, now)).toBe(0)
  })

  test('a span is told in the largest unit there are two of', () => {
    expect(spanWords(29.6 * day)).toBe('30 days')
    expect(spanWords(36 * hour)).toBe('36 hours')
    expect(spanWords(90 * 60_000)).toBe('90 minutes')
    expect(spanWords(1000)).toBe('1 minute')
  })
})

describe('deadlines', () => {
  test('what has passed is overdue, unless the work is finished', () => {
    expect(deadlineOf(at(-3 * day), false, now)).toEqual({ tone: 'overdue', words: '3 d over' })
    expect(deadlineOf(at(-3 * day), true, now)).toEqual({ tone: 'later', words: '1 Mar' })
  })

  test('what is near stands out, and the last day counts hours', () => {
    expect(deadlineOf(at(5 * hour), false, now)).toMatchObject({
      tone: 'soon',
      words: '5 h left',
    })
    expect(deadlineOf(at(30 * hour), false, now).tone).toBe('soon')
    expect(deadlineOf(at(9 * day), false, now)).toEqual({ tone: 'later', words: '13 Mar' })
  })

  test('another year is named', () => {
    expect(deadlineOf('2027-01-05T12:00:00Z', false, now).words).toBe('5 Jan 2027')
  })
})

test('ages read as people say them', () => {
  expect(agoWords(at(-1000), now)).toBe('just now')
  expect(agoWords(at(-5 * 60_000), now)).toBe('5 min ago')
  expect(agoWords(at(-3 * hour), now)).toBe('3 h ago')
  expect(agoWords(at(-day), now)).toBe('yesterday')
  expect(agoWords(at(-12 * day), now)).toBe('12 days ago')
})

test('a local input gives back the time it shows', () => {
  const time = '2026-03-04T12:30:00.000Z'
  expect(fromLocalInput(toLocalInput(time))).toBe(time)
  expect(toLocalInput(null)).toBe('')
  expect(fromLocalInput('')).toBeNull()
})

test('what is no whole time is told from an empty input, and never taken for no time', () => {
  const [incomplete, empty] = [true, false].map((badInput) => typedTime({ value: '', validity: { badInput } }))
  expect(empty).toBe('')
  for (const typed of [incomplete ?? '', '20261-03-04T12:30']) {
    expect(timeProblem(typed)).toContain('not a whole date')
    expect(fromLocalInput(typed)).toBe(typed)
  }
  expect([timeProblem(''), timeProblem(latestLocalInput)]).toEqual([null, null])
})

test('times that were added up read short', () => {
  expect(workWords(150)).toBe('3 min')
  expect(workWords(3 * 3600 + 20 * 60)).toBe('3 h 20 min')
  expect(workWords(3 * 86_400 + 3600)).toBe('3 d 1 h')
})
