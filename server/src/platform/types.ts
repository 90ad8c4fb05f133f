// In charge of the JavaScript types of columns, equal for both drivers: timestamps as ISO text, big integers as safe numbers.

const oid = { int8: 20, numeric: 1700, timestamptz: 1184 } as const

/** Converts PostgreSQL's `2026-11-21 10:00:00.1+00` to `2026-11-21T10:00:00.100Z`. The session's time zone is UTC. */
function stamp(text: string): string {
  // The text is converted to ISO first: in other formats, Date reads a year below 50 as 20xx and below 100 as 19xx.
  return new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z')).toISOString()
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} from the database is past 2^53.`)
  return value
}

/** Parsers by type oid; both drivers use this table. */
export const parsers: Record<number, (text: string) => unknown> = {
  [oid.int8]: safeInteger,
  [oid.numeric]: Number,
  [oid.timestamptz]: stamp,
}
