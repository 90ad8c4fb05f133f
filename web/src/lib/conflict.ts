// In charge of deciding whether a change that was based on an old revision can still be saved. It can, if nobody else has
// changed the members that the change contains. Pure.
import { hasCode } from './errors.ts'

export function mayRepeat(
  seen: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): boolean {
  return Object.keys(patch).every((name) => JSON.stringify(seen[name]) === JSON.stringify(now[name]))
}

/** What a user has seen of a record, together with those values of it that the user has written since. `own`: all values written. */
export function withOwn(
  seen: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const written = Object.entries(own).filter(([name, value]) => JSON.stringify(now[name]) === JSON.stringify(value))
  return { ...seen, ...Object.fromEntries(written) }
}

/** Thrown if somebody else has changed the same member, or the same part of it, so that the change is not saved. */
export class ChangedMeanwhile extends Error {
  constructor() {
    super('Somebody changed this meanwhile; this is how it is now. Change it again if you still want to.')
  }
}

/** `check` gets the record as it is now, and throws, for example `ChangedMeanwhile`, if it is not to be written to any more. */
type Checked<R, T> = {
  read: () => Promise<{ data: R; etag: string | null }>
  check: (now: R) => void
  write: (etag: string | null) => Promise<T>
}

/**
 * Reads a record, and writes to it with the ETag that was read. If it is changed between the read and the write, both are repeated
 * once. Throws what `check` throws, and `ChangedMeanwhile` if the record is changed again.
 */
export async function writeChecked<R, T>(checked: Checked<R, T>, isRepeated = false): Promise<T> {
  const { data, etag } = await checked.read()
  checked.check(data)
  try {
    return await checked.write(etag)
  } catch (error) {
    if (!hasCode(error, 'precondition_failed')) throw error
    if (isRepeated) throw new ChangedMeanwhile()
    return writeChecked(checked, true)
  }
}

/** The headers of a write that is refused if the record has another ETag by now; none if the ETag is not known. */
export const ifMatch = (etag: string | null): Record<string, string> => (etag === null ? {} : { 'if-match': etag })
