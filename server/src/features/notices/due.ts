// In charge of deciding when a person's waiting notices are sent, by the digest, quiet hours and time zone in the person's
// settings. Pure.
import type { Digest } from '@atelier/contract/notice-channels.ts'
import { Temporal } from 'temporal-polyfill'

/**
 * A person's settings that determine when messages are sent. Times of day have the form `HH:MM`. `quiet` is null if the person
 * has no quiet hours.
 */
export type Timing = {
  digest: Digest
  digest_at: string
  quiet: { from: string; to: string } | null
  time_zone: string
}

/** The shortest time between two messages if the digest is `at_once`. All notices that are written meanwhile form one message. */
const apartSeconds = 60

/** Whether this is the name of a time zone. Offsets such as +01:00 are not accepted, since they ignore summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    Temporal.Now.zonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the time at which a message is due: `now` if it is to be sent at once, otherwise a later time. All times are in
 * milliseconds since 1970.
 * @param waiting `since`: when the first of the waiting notices was written; `last`: when the person's previous message was
 * composed, null if there was none.
 */
export function dueAt(timing: Timing, waiting: { since: number; last: number | null }, now: number): number {
  return afterQuiet(timing, Math.max(digestAt(timing, waiting), now))
}

/** Returns `at`, or the end of the quiet hours if it is in them. Both are in milliseconds since 1970. */
export const afterQuiet = (timing: Timing, at: number): number =>
  outOfQuiet(timing.quiet, inZone(at, zoneOf(timing))).epochMilliseconds

const zoneOf = ({ time_zone }: Timing): string => (isTimeZone(time_zone) ? time_zone : 'UTC')

function digestAt(timing: Timing, { since, last }: { since: number; last: number | null }): number {
  const { digest, digest_at } = timing
  // If `last` is after `since`, the clock was set back after the previous message; so the new message does not have to wait.
  if (digest === 'at_once') return last === null || last > since ? since : last + apartSeconds * 1000
  const first = inZone(since, zoneOf(timing))
  if (digest === 'daily') return next(digest_at, first).epochMilliseconds
  return first.round({ smallestUnit: 'hour', roundingMode: 'floor' }).add({ hours: 1 }).epochMilliseconds
}

type Zoned = Temporal.ZonedDateTime
const inZone = (at: number, zone: string): Zoned => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)

/**
 * Returns the first moment after `after` at which clocks show `time`. If they show `time` twice on one day, `later` selects the
 * second of the two moments.
 */
function next(time: string, after: Zoned, disambiguation: 'compatible' | 'later' = 'compatible'): Zoned {
  const on = (day: Temporal.PlainDate): Zoned =>
    day.toPlainDateTime(time).toZonedDateTime(after.timeZoneId, { disambiguation })
  const today = on(after.toPlainDate())
  return Temporal.ZonedDateTime.compare(today, after) > 0 ? today : on(after.toPlainDate().add({ days: 1 }))
}

function outOfQuiet(quiet: Timing['quiet'], at: Zoned): Zoned {
  if (quiet === null || !isQuiet(quiet, at)) return at
  // When clocks are set back, they may show the end of quiet hours twice; the first of these moments that is not in quiet hours
  // counts. When clocks are set forward over the end of quiet hours, quiet hours end at the moment of the change.
  const ends = [next(quiet.to, at), next(quiet.to, at, 'later'), at.getTimeZoneTransition('next')]
  const [first = at] = ends
    .filter((end) => end !== null && !isQuiet(quiet, end))
    .toSorted((one, other) => (one && other ? Temporal.ZonedDateTime.compare(one, other) : 0))
  return first ?? at
}

function isQuiet({ from, to }: { from: string; to: string }, at: Zoned): boolean {
  const time = at.toPlainTime().toString({ smallestUnit: 'minute' })
  return from <= to ? from <= time && time < to : from <= time || time < to
}
