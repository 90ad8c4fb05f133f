// In charge of the demo's times: working days are counted from now, so that a board seeded on any day looks in use. Pure.
import type { Stamp } from '../../platform/tables.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

/**
 * The instant of `HH:MM` UTC on the `day`-th working day before today. For day 0, `HH:MM` is how long ago it was, so that no step
 * is in the future. Stories keep their order at any hour if earlier days end by 19:00 and day 0 begins at most five hours ago.
 */
export function momentOf(now: Stamp, day: number, time: string): Stamp {
  if (day === 0) return stampOf(Date.parse(now) - minutesOf(time) * minuteMs)
  return stampOf(workingDay(now, -day) + minutesOf(time) * minuteMs)
}

/** 17:00 UTC on the working day `due` days after today; negative numbers are before today. */
export function deadlineOf(now: Stamp, due: number): Stamp {
  return stampOf(workingDay(now, due) + minutesOf('17:00') * minuteMs)
}

/** Midnight UTC, `count` working days from the day of `now`. */
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
