// Facts about how automations end, and about the texts that report the end on the card.
import { runStatuses } from '@atelier/contract/graph/run-statuses.ts'
import { describe, expect, test } from 'vitest'
import { decideEnding, notDelivered, notStarted, tooLate } from './ending.ts'

const at = (minutes: number): string => new Date(Date.UTC(2026, 2, 4, 12, minutes)).toISOString()
type Run = NonNullable<Parameters<typeof decideEnding>[1]>

const run = (changes: Partial<Run> = {}): Run => ({
  ...{ status: 'succeeded', error: null, deleted_at: null, finished_at: at(5), now: at(6) },
  ...changes,
})
const kindOf = (changes: Partial<Run>, state = 'running', started = at(0)) =>
  decideEnding('X', run(changes), { automation_state: state, automation_started_at: started }, 15 * 60).kind

describe('by the status of its run, an automation', () => {
  test.each([
    ['draft', 'failed'],
    ['queued', 'goes_on'],
    ['running', 'goes_on'],
    ['awaiting_input', 'goes_on'],
    ['succeeded', 'deliver'],
    ['failed', 'failed'],
    ['cancelled', 'failed'],
  ] as const)('%s: %s', (status, kind) => {
    expect(kindOf({ status })).toBe(kind)
  })

  test('has an ending for every status there is', () => {
    for (const status of runStatuses) expect(kindOf({ status })).toMatch(/^(?:goes_on|deliver|failed)$/)
  })
})

describe('past its time, an automation', () => {
  test.each(['queued', 'running'] as const)('that is %s has failed', (status) => {
    expect(kindOf({ status, now: at(15) })).toBe('goes_on')
    expect(kindOf({ status, now: at(16) })).toBe('failed')
  })

  test('is judged by when its run ended, not by when somebody looked', () => {
    expect(kindOf({ finished_at: at(14), now: at(600) })).toBe('deliver')
    expect(kindOf({ finished_at: at(16), now: at(16) })).toBe('failed')
  })

  test('waits at a gate all the same, and delivers what came of an answer', () => {
    expect(kindOf({ status: 'awaiting_input', now: at(6000) }, 'awaiting_input')).toBe('goes_on')
    expect(kindOf({ finished_at: at(6000), now: at(6001) }, 'awaiting_input')).toBe('deliver')
  })
})

test('every sentence says what to do, is whole, and bears any reason', () => {
  const long = 'word '.repeat(2000)
  const told = { automation_state: 'running', automation_started_at: at(0) }
  const sentences = [
    ...[undefined, run({ deleted_at: at(1) }), run({ status: 'cancelled' }), run({ status: 'draft' })].map(
      (one) => Object(decideEnding('X', one, told, 900)).error,
    ),
    ...[long, 'No credits', 'No credits.', ''].map(
      (error) => Object(decideEnding('X', run({ status: 'failed', error }), told, 900)).error,
    ),
    ...[notDelivered('X', long), notStarted('X', 'no key'), tooLate('X', 900), tooLate('X', 3600), tooLate('X', 90)],
  ]
  for (const sentence of sentences) {
    expect(sentence).toMatch(/(?:move the task out of this column|put the files on the card)/)
    expect(sentence).toMatch(/[.]$/)
    expect(sentence).not.toMatch(/\.\.| {2}|undefined|null/)
    expect(sentence.length).toBeLessThan(1500)
  }
})
