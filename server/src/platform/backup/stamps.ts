// In charge of the moments in the names of snapshots and backups.

const form = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)$/

/** Formats a time for the names of snapshots and backups. The text has no colons, because some file systems do not allow them. */
export const stampOf = (moment: Date): string => moment.toISOString().replaceAll(':', '-')

/** Returns the date-time in UTC that `stampOf` has formatted; null for any other text. */
export function momentOf(stamp: string): string | null {
  const [, day, hour, minute, second] = form.exec(stamp) ?? []
  return day === undefined ? null : `${day}${hour}:${minute}:${second}`
}

/**
 * Sorts by `takenAt`, oldest first. What was taken in the future, while the clock was wrong, comes before all others: how old it is
 * is not known, and it must never be taken for the newest.
 */
export function oldestFirst<T extends { takenAt: string }>(all: readonly T[]): T[] {
  const now = new Date().toISOString()
  const sorted = all.toSorted((one, other) => Date.parse(one.takenAt) - Date.parse(other.takenAt))
  return [...sorted.filter(({ takenAt }) => takenAt > now), ...sorted.filter(({ takenAt }) => takenAt <= now)]
}
