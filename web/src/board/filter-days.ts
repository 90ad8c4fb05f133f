// In charge of what a day means in a filter. A filter in the address or in a saved view says only the day, such as `2026-10-31`, and
// the service would take it for midnight in UTC. So the filter of a request says from when until when the day lasts for the user,
// whose local dates the cards show. Pure, except that it depends on the time zone of the browser.
import { type Group, isGroup } from './filter-group.ts'

type Rule = { field: string; operator: string; value: unknown; muted?: unknown }
const isRule = (value: unknown): value is Rule =>
  typeof value === 'object' &&
  value !== null &&
  'field' in value &&
  typeof value.field === 'string' &&
  'operator' in value &&
  typeof value.operator === 'string' &&
  'value' in value

/** The first and the last millisecond of a day, as texts that contain the time zone. */
type Day = { start: string; end: string }

/** Replaces the days in a filter. `times`: the names of the fields that contain a date and a time. */
export function withLocalDays(group: Group, times: ReadonlySet<string>): Group {
  const rules = group.rules.map((member) => {
    if (isGroup(member)) return withLocalDays(member, times)
    return isRule(member) && times.has(member.field) ? localRule(member) : member
  })
  return { ...group, rules }
}

/** Returns the rule as it is if its value is not what the operator needs, so that the service says what is wrong. */
function localRule(rule: Rule): unknown {
  const days = daysOf(rule.value)
  const [first, second] = days ?? []
  if (!days || !first || rule.muted === true) return rule
  const within = (operator: string, from: Day, to: Day) => ({ ...rule, operator, value: [from.start, to.end] })
  switch (rule.operator) {
    case '<':
    case '>=':
      return second ? rule : { ...rule, value: first.start }
    case '>':
    case '<=':
      return second ? rule : { ...rule, value: first.end }
    case '=':
      return second ? rule : within('between', first, first)
    case '!=':
      return second ? rule : within('notBetween', first, first)
    case 'between':
    case 'notBetween': {
      if (!second || days.length > 2) return rule
      // The two days may be given in either order.
      return first.start <= second.start ? within(rule.operator, first, second) : within(rule.operator, second, first)
    }
    case 'in':
    case 'notIn': {
      // No operator compares with several periods, so a list becomes a group that contains one rule for each day.
      const rules = days.map((day) => within('between', day, day))
      return { combinator: 'or', not: rule.operator === 'notIn', rules }
    }
    default:
      return rule
  }
}

/** The days in the value of a rule, which is a list or a text with commas; null if a part of it is no day. */
function daysOf(value: unknown): readonly Day[] | null {
  const parts: readonly unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  const texts = parts.map((part) => (typeof part === 'string' ? part.trim() : part)).filter((part) => part !== '')
  const days = texts.map((text) => (typeof text === 'string' ? dayOf(text) : null))
  return days.every((day) => day !== null) ? days : null
}

function dayOf(text: string): Day | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  // The next day's start, and not 24 hours later: where the clocks change, a day has 23 or 25 hours.
  const [start, next] = [localStart(year, month, day), localStart(year, month, day + 1)]
  // A date such as February 30 becomes a day of the next month.
  if (start.getDate() !== day || start.getMonth() !== month - 1) return null
  const bounds = { start: start.toISOString(), end: new Date(next.getTime() - 1).toISOString() }
  // In UTC, the first day of the year 1 may begin in the year 0, and the last of the year 9999 end in 10000: the service knows neither.
  const isKnown = Object.values(bounds).every((at) => /^(?!0000)\d{4}-/.test(at))
  return isKnown ? bounds : null
}

function localStart(year: number, month: number, day: number): Date {
  const date = new Date(2000, 0, 1)
  // The constructor of `Date` takes the years 0 to 99 for those from 1900 on.
  date.setFullYear(year, month - 1, day)
  return date
}
