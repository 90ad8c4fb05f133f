// Facts about when messages are due: at once or at the time of a digest, but never in quiet hours, even around changes of the
// clocks.
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { dueAt, isTimeZone, type Timing } from './due.ts'

const timing: Timing = { digest: 'at_once', digest_at: '09:00', quiet: null, time_zone: 'Europe/Berlin' }
const at = (text: string): number => Temporal.ZonedDateTime.from(`${text}[Europe/Berlin]`).epochMilliseconds
const shown = (due: number): string =>
  Temporal.Instant.fromEpochMilliseconds(due)
    .toZonedDateTimeISO('Europe/Berlin')
    .toString({ timeZoneName: 'never', smallestUnit: 'minute' })
const due = (given: Partial<Timing>, since: string, now = since, last: string | null = null): string =>
  shown(dueAt({ ...timing, ...given }, { since: at(since), last: last === null ? null : at(last) }, at(now)))

describe('a message is due', () => {
  test('at once, but a minute after the one before', () => {
    expect(due({}, '2026-03-02T12:00')).toBe('2026-03-02T12:00+01:00')
    expect(due({}, '2026-03-02T12:00', '2026-03-02T12:00', '2026-03-02T11:59:30')).toBe('2026-03-02T12:00+01:00')
    const soon = dueAt(
      timing,
      { since: at('2026-03-02T12:00'), last: at('2026-03-02T11:59:30') },
      at('2026-03-02T12:00'),
    )
    expect(soon).toBe(at('2026-03-02T12:00:30'))
    // The previous message was composed at a later time than the notice was written, because the clock was set back in between.
    expect(due({}, '2026-03-02T12:00', '2026-03-02T12:00', '2026-03-02T18:00')).toBe('2026-03-02T12:00+01:00')
  })

  test('at the next full hour of the zone, or the next time of day, also over a change of clocks', () => {
    expect(due({ digest: 'hourly' }, '2026-03-02T12:00')).toBe('2026-03-02T13:00+01:00')
    expect(due({ digest: 'hourly', time_zone: 'Asia/Kolkata' }, '2026-03-02T12:10')).toBe('2026-03-02T12:30+01:00')
    expect(due({ digest: 'daily' }, '2026-03-28T08:59')).toBe('2026-03-28T09:00+01:00')
    expect(due({ digest: 'daily' }, '2026-03-28T09:00')).toBe('2026-03-29T09:00+02:00')
    expect(due({ digest: 'daily', digest_at: '02:30' }, '2026-03-28T12:00')).toBe('2026-03-29T03:30+02:00')
  })

  test('not before now, and not in quiet hours', () => {
    expect(due({ digest: 'hourly' }, '2026-03-02T12:00', '2026-03-03T07:20')).toBe('2026-03-03T07:20+01:00')
    const quiet = { from: '20:00', to: '08:00' }
    expect(due({ quiet }, '2026-03-02T19:59')).toBe('2026-03-02T19:59+01:00')
    expect(due({ quiet }, '2026-03-02T20:00')).toBe('2026-03-03T08:00+01:00')
    expect(due({ quiet }, '2026-03-03T07:59')).toBe('2026-03-03T08:00+01:00')
    expect(due({ quiet, digest: 'daily', digest_at: '06:00' }, '2026-03-02T12:00')).toBe('2026-03-03T08:00+01:00')
    expect(due({ quiet: { from: '12:00', to: '12:00' } }, '2026-03-02T12:00')).toBe('2026-03-02T12:00+01:00')
  })

  test('when quiet hours end, where clocks skip that time or show it twice', () => {
    const quiet = { from: '22:00', to: '02:30' }
    expect(due({ quiet }, '2026-03-29T01:30')).toBe('2026-03-29T03:00+02:00')
    expect(due({ quiet }, '2026-10-25T01:30')).toBe('2026-10-25T02:30+02:00')
    expect(due({ quiet }, '2026-10-25T02:10+01:00')).toBe('2026-10-25T02:30+01:00')
  })
})

test('in each minute around changes of clocks a message waits for the first minute that is not quiet', () => {
  const zones = ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'America/Santiago', 'Africa/Casablanca']
  const quiets = [
    { from: '22:15', to: '02:20' },
    { from: '01:10', to: '01:40' },
    { from: '00:00', to: '23:59' },
  ]
  for (const zone of zones) {
    let change = Temporal.Instant.from('2026-01-01T00:00Z').toZonedDateTimeISO(zone).getTimeZoneTransition('next')
    for (let count = 0; count < 2 && change; count++, change = change.getTimeZoneTransition('next')) {
      for (const quiet of quiets) {
        const minutes = Array.from(
          { length: 31 },
          (_, step) => change?.add({ minutes: step * 20 - 300 }) ?? expect.fail(),
        )
        const isQuiet = (one: Temporal.ZonedDateTime): boolean => {
          const time = one.toPlainTime().toString({ smallestUnit: 'minute' })
          return quiet.from <= quiet.to ? quiet.from <= time && time < quiet.to : time >= quiet.from || time < quiet.to
        }
        for (const minute of minutes) {
          const now = minute.epochMilliseconds
          const found = dueAt({ ...timing, quiet, time_zone: zone }, { since: now, last: null }, now)
          const reached = Temporal.Instant.fromEpochMilliseconds(found).toZonedDateTimeISO(zone)
          expect(isQuiet(reached), `${minute} until ${reached}`).toBe(false)
          expect(found === now || isQuiet(reached.subtract({ minutes: 1 })), `${minute} until ${reached}`).toBe(true)
        }
      }
    }
  }
})

test('a time zone is a name of the database of time zones', () => {
  expect(['Europe/Berlin', 'UTC', 'Asia/Kolkata'].every(isTimeZone)).toBe(true)
  expect(['', '+01:00', 'Mars/Olympus', 'Europe/Berlin\n', '-00:00', 'a'.repeat(64)].some(isTimeZone)).toBe(false)
})
