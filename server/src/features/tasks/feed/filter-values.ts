// In charge of a rule's value: converting it from the form of a query builder to the type of the field, or reporting what is wrong.
import { type FilterType, filterLimits } from '@atelier/contract/filter-fields.ts'
import {
  type ErrorWords,
  fractional,
  notFinite,
  notOneOf,
  textTooLong,
  tooLarge,
  tooSmall,
  unreadable,
  unreadableDatetime,
  unreadableUuid,
  withoutTimezone,
  wrongType,
} from '@atelier/contract/wire/validation-errors.ts'

/**
 * A value in the form that is passed to the database. A date and time is text in UTC with six decimals, so that comparing texts
 * compares times. An id is in lower case.
 */
export type Scalar = string | number | boolean

type Reader = (raw: unknown, allowed: readonly string[]) => Scalar | ErrorWords

const readers: Record<FilterType, Reader> = {
  text: readText,
  enum: readMember,
  integer: readInteger,
  number: readNumber,
  boolean: readBoolean,
  datetime: readDatetime,
  id: readId,
  enum_list: readMember,
}

/** Parses one value for a field of this type. `allowed`: the values of an enumeration; other types do not use it. */
export function readValue(type: FilterType, raw: unknown, allowed: readonly string[]): Scalar | ErrorWords {
  return readers[type](raw, allowed)
}

/** Whether the result of parsing is an error. Errors are objects; values never are. */
export function isFault(read: unknown): read is ErrorWords {
  return typeof read === 'object' && !Array.isArray(read)
}

/**
 * Returns the elements of a list value, which may be an array or a comma-separated string. In a string, `\,` is a comma within an
 * element; spaces around elements are dropped, and so are empty elements. A number is a list with one element, because
 * react-querybuilder may write such a list as a number.
 */
export function readList(raw: unknown): readonly unknown[] | ErrorWords {
  if (Array.isArray(raw)) return raw
  if (typeof raw === 'number') return [raw]
  if (typeof raw !== 'string') return wrongType.list
  return splitList(raw)
    .map((element) => element.trim())
    .filter((element) => element !== '')
}

/** Returns the error for a value that is not one of the allowed ones. */
export function notAMember(allowed: readonly string[]): ErrorWords {
  return notOneOf(allowed)
}

function splitList(text: string): string[] {
  const elements: string[] = []
  let element = ''
  for (let at = 0; at < text.length; at += 1) {
    if (text.startsWith('\\,', at)) {
      element += ','
      at += 1
    } else if (text[at] === ',') {
      elements.push(element)
      element = ''
    } else element += text[at]
  }
  return [...elements, element]
}

function readText(raw: unknown): Scalar | ErrorWords {
  if (typeof raw !== 'string') return wrongType.string
  const max_length = filterLimits.text
  if (raw.length <= max_length || [...raw].length <= max_length) return raw
  return textTooLong(max_length)
}

function readMember(raw: unknown, allowed: readonly string[]): Scalar | ErrorWords {
  return typeof raw === 'string' && allowed.includes(raw) ? raw : notAMember(allowed)
}

function readInteger(raw: unknown): Scalar | ErrorWords {
  if (typeof raw === 'string' && !/^\s*[+-]?\d+(\.0*)?\s*$/.test(raw)) return unreadable.integer
  if (typeof raw !== 'string' && typeof raw !== 'number') return wrongType.integer
  const value = Number(raw)
  if (Number.isFinite(value) && !Number.isInteger(value)) return fractional
  return within(value, -2_147_483_648, 2_147_483_647)
}

function readNumber(raw: unknown): Scalar | ErrorWords {
  if (typeof raw === 'string' && !/^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(raw)) return unreadable.number
  if (typeof raw !== 'string' && typeof raw !== 'number') return wrongType.number
  const value = Number(raw)
  if (!Number.isFinite(value)) return notFinite
  return within(value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
}

// `integer` fields have the limits of PostgreSQL's type. Other numbers must be in the range of safe integers: JavaScript may
// round a larger number, which then differs from the number in the request.
function within(value: number, ge: number, le: number): Scalar | ErrorWords {
  if (value < ge) return tooSmall(ge)
  if (value > le) return tooLarge(le)
  return value === 0 ? 0 : value
}

function readBoolean(raw: unknown): Scalar | ErrorWords {
  if (typeof raw === 'boolean') return raw
  if (typeof raw !== 'string') return wrongType.boolean
  if (raw === 'true' || raw === 'false') return raw === 'true'
  return unreadable.boolean
}

function readId(raw: unknown): Scalar | ErrorWords {
  if (typeof raw !== 'string') return wrongType.uuid
  if (/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(raw)) return raw.toLowerCase()
  return unreadableUuid('expected 32 hexadecimal digits in groups of 8-4-4-4-12')
}

const datePattern = /^(\d{4})-(\d\d)-(\d\d)$/
const datetimePattern = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)?$/

function readDatetime(raw: unknown): Scalar | ErrorWords {
  if (typeof raw !== 'string') return wrongType.datetime
  if (datePattern.test(raw)) return utcText(raw, '00:00:00', '', 0)
  const parts = datetimePattern.exec(raw)
  if (!parts) return unreadableDatetime('expected a form such as 2026-01-31T09:30:00Z, or a date')
  const [, date = '', hour = '', minute = '', second = '', fraction = '', offset] = parts
  if (Number(hour) > 23) return unreadableDatetime('hour value is outside expected range of 0-23')
  if (Number(minute) > 59) return unreadableDatetime('minute value is outside expected range of 0-59')
  if (Number(second) > 59) return unreadableDatetime('second value is outside expected range of 0-59')
  if (offset === undefined) return withoutTimezone
  const minutes = offsetMinutes(offset)
  if (minutes === null) return unreadableDatetime('timezone offset is outside expected range')
  return utcText(date, `${hour}:${minute}:${second}`, fraction, minutes)
}

function offsetMinutes(offset: string): number | null {
  if (offset.length === 1) return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(4))
  if (hours > 23 || minutes > 59) return null
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

function utcText(date: string, time: string, fraction: string, offset: number): Scalar | ErrorWords {
  const month = Number(date.slice(5, 7))
  if (month < 1 || month > 12) return unreadableDatetime('month value is outside expected range of 1-12')
  const local = new Date(`${date}T${time}Z`)
  // A date such as February 30 makes `Date` either invalid or a day of the next month.
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 10) !== date) {
    return unreadableDatetime('day value is outside expected range')
  }
  const utc = new Date(local.getTime() - offset * 60_000).toISOString()
  // toISOString writes years after 9999 with a sign, and PostgreSQL has no year 0.
  if (!/^\d{4}-/.test(utc) || utc.startsWith('0000'))
    return unreadableDatetime('year value is outside expected range of 1-9999')
  return `${utc.slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}
