// In charge of checking the two text formats in requests, date-time and UUID; the error messages have Pydantic's words.
import {
  type ErrorWords,
  impossibleDatetime,
  unreadableDatetime,
  unreadableUuid,
  withoutTimezone,
} from '@atelier/contract/wire/validation-errors.ts'

const extraCharacters = 'unexpected extra characters at the end of the input'
const time = /^[Tt](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:[Zz]|([+-])(\d\d):(\d\d))?$/
const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const firstInstant = Date.parse('0001-01-01T00:00:00.000Z')
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Returns the error if a text is not an RFC 3339 date-time with an offset; null if it is one. Unlike Pydantic, this refuses a space
 * as separator, `+0100`, a time without seconds, and Unix time. It also refuses more than nine decimals of a second, and times
 * outside the years 1 to 9999 in UTC, because not every database accepts these.
 */
export function dateTimeFault(text: string): ErrorWords | null {
  const dateFault = dateError(text)
  if (dateFault !== null) return unreadableDatetime(dateFault)
  if (text.length === 10) return withoutTimezone
  const parts = time.exec(text.slice(10))
  if (parts === null || !isTimeOfDay(parts)) return unreadableDatetime(extraCharacters)
  if (parts[4] === undefined && !/[Zz]$/.test(text)) return withoutTimezone
  return rangeFault(text)
}

function dateError(text: string): string | null {
  if (text.length < 10) return 'input is too short'
  if (!/^\d{4}/.test(text)) return 'invalid character in year'
  if (text[4] !== '-') return 'invalid date separator, expected `-`'
  if (!/^\d\d/.test(text.slice(5, 7))) return 'invalid character in month'
  if (text[7] !== '-') return 'invalid date separator, expected `-`'
  if (!/^\d\d/.test(text.slice(8, 10))) return 'invalid character in day'
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))]
  if (month < 1 || month > 12) return 'month value is outside expected range of 1-12'
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : (daysInMonth[month - 1] ?? 0)
  return day < 1 || day > days ? 'day value is outside expected range' : null
}

/** Whether the time of day is valid. Leap seconds are refused, because neither JavaScript nor the database can represent them. */
function isTimeOfDay(parts: RegExpExecArray): boolean {
  const [, hour, minute, second, , offsetHour = '0', offsetMinute = '0'] = parts
  return (
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Number(offsetHour) < 24 &&
    Number(offsetMinute) < 60
  )
}

function rangeFault(text: string): ErrorWords | null {
  const isYearZero = text.startsWith('0000')
  // Date.parse need not accept small letters or more than three decimals of a second, so the text is converted to what it accepts.
  const instant = Date.parse(text.toUpperCase().replace(/\.(\d{1,3})\d*/, '.$1'))
  if (!isYearZero && instant >= firstInstant && instant <= lastInstant) return null
  const error = isYearZero ? 'year 0 is out of range' : 'date value out of range'
  return impossibleDatetime(error)
}

const groupLengths = [8, 4, 4, 4, 12]

/** Returns the error if a text is not a UUID with hyphens; null if it is one. */
export function uuidFault(text: string): ErrorWords | null {
  const error = uuidError(text)
  return error === null ? null : unreadableUuid(error)
}

function uuidError(text: string): string | null {
  const odd = /[^0-9a-fA-F-]/u.exec(text)
  if (odd !== null) return `invalid character: found \`${odd[0]}\` at ${odd.index + 1}`
  const groups = text.split('-', 64)
  if (groups.length === 1 && text.length !== 32) {
    return `invalid length: expected length 32 for simple format, found ${text.length}`
  }
  if (groups.length !== groupLengths.length) return `invalid group count: expected 5, found ${groups.length}`
  for (const [index, expected] of groupLengths.entries()) {
    const found = groups[index]?.length ?? 0
    if (found !== expected) return `invalid group length in group ${index}: expected ${expected}, found ${found}`
  }
  return null
}
