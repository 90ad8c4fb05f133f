// Facts about which texts count as date-times and UUIDs.
import { describe, expect, test } from 'vitest'
import { dateTimeFault, uuidFault } from './text-formats.ts'

describe('a date-time', () => {
  test.each([
    '2026-11-21T10:00:00.123Z',
    '2026-11-21T10:00:00Z',
    '2026-11-21t10:00:00z',
    '2026-11-21T10:00:00.123456789+05:30',
    '2026-11-21T23:59:59-23:59',
    '2024-02-29T00:00:00Z',
    '2000-02-29T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2026-11-21T10:00:00-00:00',
  ])('may be %s', (text) => {
    expect(dateTimeFault(text)).toBeNull()
  })

  const extra = 'unexpected extra characters at the end of the input'
  const monthRange = 'month value is outside expected range of 1-12'
  const separator = 'invalid date separator, expected `-`'
  test.each([
    ['', 'input is too short'],
    ['hello', 'input is too short'],
    ['hello world', 'invalid character in year'],
    [' 2026-11-21T10:00:00Z', 'invalid character in year'],
    ['20261121T100000Z', separator],
    ['1700000000', separator],
    ['2026/11/21T10:00:00Z', separator],
    ['2026-x1-21T10:00:00Z', 'invalid character in month'],
    ['2026-11-x1T10:00:00Z', 'invalid character in day'],
    ['2026-13-01T10:00:00Z', monthRange],
    ['2026-00-01', monthRange],
    ['2026-02-30T10:00:00Z', 'day value is outside expected range'],
    ['1900-02-29T10:00:00Z', 'day value is outside expected range'],
    ['2026-11-00T10:00:00Z', 'day value is outside expected range'],
    ['2026-11-21 10:00:00Z', extra],
    ['2026-11-21T24:00:00Z', extra],
    ['2026-11-21T10:60:00Z', extra],
    ['2026-12-31T23:59:60Z', extra],
    ['2026-11-21T10:00Z', extra],
    ['2026-11-21T10:00:00.Z', extra],
    ['2026-11-21T10:00:00.1234567890Z', extra],
    ['2026-11-21T10:00:00+25:00', extra],
    ['2026-11-21T10:00:00+10:60', extra],
    ['2026-11-21T10:00:00+1000', extra],
    ['2026-11-21T10:00:00Z\n', extra],
  ])('is not %j: %s', (text, error) => {
    const msg = `Input should be a valid datetime or date, ${error}`
    expect(dateTimeFault(text)).toEqual({ type: 'datetime_from_date_parsing', msg, ctx: { error } })
  })

  test.each(['2026-11-21', '2026-11-21T10:00:00', '2026-11-21T10:00:00.5'])(
    'is not %s, which has no offset',
    (text) => {
      expect(dateTimeFault(text)).toEqual({ type: 'timezone_aware', msg: 'Input should have timezone info' })
    },
  )

  test.each([
    ['0000-01-01T00:00:00Z', 'year 0 is out of range'],
    ['0001-01-01T00:00:00+01:00', 'date value out of range'],
    ['9999-12-31T23:59:59-01:00', 'date value out of range'],
  ])('is not %s, which lies outside the years 1 to 9999', (text, error) => {
    const msg = `Input should be a valid datetime, ${error}`
    expect(dateTimeFault(text)).toEqual({ type: 'datetime_parsing', msg, ctx: { error } })
  })
})

describe('a UUID', () => {
  test.each(['0191d7a0-0000-7000-8000-00000000000a', '0191D7A0-0000-7000-8000-00000000000A'])('may be %s', (text) => {
    expect(uuidFault(text)).toBeNull()
  })

  test.each([
    ['', 'invalid length: expected length 32 for simple format, found 0'],
    ['xyz', 'invalid character: found `x` at 1'],
    ['0191d7a000007000800000000000000a', 'invalid group count: expected 5, found 1'],
    ['0191d7a0-0000-7000-8000', 'invalid group count: expected 5, found 4'],
    ['0191d7a-00000-7000-8000-00000000000a', 'invalid group length in group 0: expected 8, found 7'],
    ['0191d7a0-0000-7000-8000-00000000000g', 'invalid character: found `g` at 36'],
  ])('is not %j: %s', (text, error) => {
    expect(uuidFault(text)).toMatchObject({ type: 'uuid_parsing', ctx: { error } })
  })
})
