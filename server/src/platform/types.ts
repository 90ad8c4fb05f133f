// In charge of how column types arrive from either driver: timestamps as ISO text, big integers as safe numbers.

const oid = { int8: 20, numeric: 1700, timestamptz: 1184 } as const

/** PostgreSQL's `2026-11-21 10:00:00.1+00` as `2026-11-21T10:00:00.100Z`. The session's time zone is UTC. */
function stamp(text: string): string {
  // As ISO, because other spellings of a year before 50 are read as one of this century or the last.
  return new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z')).toISOString()
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} from the database is past 2^53.`)
  return value
}

/** By type oid; both drivers take this table. */
export const parsers: Record<number, (text: string) => unknown> = {
  [oid.int8]: safeInteger,
  [oid.numeric]: Number,
  [oid.timestamptz]: stamp,
}
