// Facts about the automation mark of a card.
import { expect, test } from 'vitest'
import { automationMark, runBehind } from './automation.ts'

const now = Date.parse('2026-03-04T12:00:00Z')
const minute = 60_000
const kindOf = (state: 'pending' | 'running' | 'awaiting_input' | 'succeeded' | 'failed' | null, minutesAgo: number) =>
  automationMark(
    { state, error: null, started_at: new Date(now - minutesAgo * minute).toISOString() },
    15 * minute,
    now,
  )?.kind

test('pending and running are alive until the timeout, stalled after it', () => {
  expect(kindOf('pending', 14)).toBe('alive')
  expect(kindOf('running', 14)).toBe('alive')
  expect(kindOf('pending', 15)).toBe('stalled')
  expect(kindOf('running', 600)).toBe('stalled')
})

test('what was never enqueued cannot be alive', () => {
  expect(automationMark({ state: 'running', error: null, started_at: null }, 15 * minute, now)?.kind).toBe('stalled')
})

test('waiting never times out', () => {
  expect(kindOf('awaiting_input', 100_000)).toBe('waiting')
})

test('an end is told with its error, nothing is no mark', () => {
  expect(kindOf('succeeded', 1)).toBe('done')
  expect(automationMark({ state: 'failed', error: 'No credits.', started_at: null }, 1, now)?.detail).toBe(
    'No credits.',
  )
  expect(kindOf(null, 0)).toBeUndefined()
})

test('the mark leads to the run that asks, or to the newest', () => {
  const runs = [
    { id: 'newest', status: 'succeeded' },
    { id: 'asking', status: 'awaiting_input' },
  ] as const
  expect(runBehind('awaiting_input', runs)?.id).toBe('asking')
  expect(runBehind('failed', runs)?.id).toBe('newest')
  expect(runBehind('failed', [])).toBeUndefined()
})
