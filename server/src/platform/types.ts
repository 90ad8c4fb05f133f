// In charge of the JavaScript types of column values, the same for both drivers: timestamps are ISO text, big integers are numbers.

const oid = { int8: 20, numeric: 1700, timestamptz: 1184 } as const

/** Converts `2026-11-21 10:00:00.1+00`, as PostgreSQL writes it in a session in UTC, to `2026-11-21T10:00:00.100Z`. */
function stamp(text: string): string {
  // The text is changed to ISO format first, because in other formats Date reads the years 0 to 49 as 20xx and 50 to 99 as 19xx.
  return new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z')).toISOString()
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} from the database is past 2^53.`)
  return value
}

/** The parsers for column types, by the type's oid; both drivers use this table. */
export const parsers: Record<number, (text: string) => unknown> = {
  [oid.int8]: safeInteger,
  [oid.numeric]: Number,
  [oid.timestamptz]: stamp,
}
