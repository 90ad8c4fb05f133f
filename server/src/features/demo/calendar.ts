// In charge of the dates and times in the demo. Days are counted in working days from today, so that a new board looks in use.
// Pure.
import type { Stamp } from '../../platform/tables.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

/**
 * Returns the time `HH:MM` UTC on the `day`-th working day before today. If `day` is 0, `time` is a duration instead: the result is
 * that many hours and minutes before now, which is never in the future. The steps of a story stay in order if those of earlier days
 * end by 19:00, and those of day 0 lie at most five hours back.
 */
export function momentOf(now: Stamp, day: number, time: string): Stamp {
  if (day === 0) return stampOf(Date.parse(now) - minutesOf(time) * minuteMs)
  return stampOf(workingDay(now, -day) + minutesOf(time) * minuteMs)
}

/** Returns 17:00 UTC on the working day that is `due` working days after today, or before today if `due` is negative. */
export function deadlineOf(now: Stamp, due: number): Stamp {
  return stampOf(workingDay(now, due) + minutesOf('17:00') * minuteMs)
}

/** Returns midnight UTC of the day that is `count` working days after the day of `now`; a negative `count` goes backwards. */
function workingDay(now: Stamp, count: number): number {
  let day = Date.parse(now.slice(0, 10))
  const step = Math.sign(count) * dayMs
  for (let left = Math.abs(count); left > 0; ) {
    day += step
    if (!isWeekend(day)) left--
  }
  return day
}

const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day).getUTCDay())

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const stampOf = (ms: number): Stamp => new Date(ms).toISOString()
