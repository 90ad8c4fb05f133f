// Facts about what a day means in a filter: it lasts from midnight to midnight where the user is.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withLocalDays } from './filter-days.ts'

const times = new Set(['created_at'])
const day = '2026-10-31'
/** The first and the last millisecond of October 31 and of November 1, when the clocks in New York go back by an hour. */
const oct31 = { start: '2026-10-31T04:00:00.000Z', end: '2026-11-01T03:59:59.999Z' }
const nov1 = { start: '2026-11-01T04:00:00.000Z', end: '2026-11-02T04:59:59.999Z' }

const ruleOf = (operator: string, value: unknown, field = 'created_at') => ({ field, operator, value })
/** The rule of a request for this rule of the address. */
const sent = (operator: string, value: unknown, field?: string) =>
  withLocalDays({ combinator: 'and', rules: [ruleOf(operator, value, field)] }, times).rules[0]

beforeEach(() => {
  vi.stubEnv('TZ', 'America/New_York')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([
  ['=', 'between', [oct31.start, oct31.end]],
  ['!=', 'notBetween', [oct31.start, oct31.end]],
  ['<', '<', oct31.start],
  ['>=', '>=', oct31.start],
  ['<=', '<=', oct31.end],
  ['>', '>', oct31.end],
])('a day after %s is the whole day', (operator, asked, value) => {
  expect(sent(operator, day)).toEqual(ruleOf(asked, value))
})

test.each(['between', 'notBetween'])(
  '%s includes both days, in whichever order and form they are given',
  (operator) => {
    const whole = ruleOf(operator, [oct31.start, nov1.end])
    for (const value of [[day, '2026-11-01'], ['2026-11-01', day], '2026-10-31, 2026-11-01'])
      expect(sent(operator, value)).toEqual(whole)
  },
)

test('a list of days is a group with a rule for each', () => {
  const rules = [ruleOf('between', [oct31.start, oct31.end]), ruleOf('between', [nov1.start, nov1.end])]
  expect(sent('in', '2026-10-31, 2026-11-01,')).toEqual({ combinator: 'or', not: false, rules })
  expect(sent('notIn', [day, '2026-11-01'])).toEqual({ combinator: 'or', not: true, rules })
})

test('days are found in groups within groups', () => {
  const nested = (rule: object) => ({ combinator: 'or', rules: [{ combinator: 'and', not: true, rules: [rule] }] })
  expect(withLocalDays(nested(ruleOf('<', day)), times)).toEqual(nested(ruleOf('<', oct31.start)))
})

test('what is no day, or stands where none belongs, is left to the service', () => {
  const given: [string, unknown, string?][] = [
    ['=', day, 'name'],
    ['=', '2026-10-31T12:00:00Z'],
    ['=', '2026-02-30'],
    ['=', ''],
    ['=', '2026-10-31,2026-11-01'],
    ['<', [day, '2026-11-01']],
    ['between', day],
    ['between', [day, 'tomorrow']],
    ['in', []],
    ['null', null],
    ['contains', day],
    ['<=', '9999-12-31'],
  ]
  for (const [operator, value, field] of given)
    expect(sent(operator, value, field)).toEqual(ruleOf(operator, value, field))
  const muted = { ...ruleOf('=', day), muted: true }
  expect(withLocalDays({ rules: [muted, 'or', null] }, times)).toEqual({ rules: [muted, 'or', null] })
})

test('a day early in the calendar is of its own year', () => {
  expect(sent('>=', '0031-01-01')).toMatchObject({ value: expect.stringMatching(/^0031-01-01T/) })
})
