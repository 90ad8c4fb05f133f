// In charge of deciding whether a change that was based on an old revision can still be saved. It can, if nobody else has
// changed the members that the change contains. Pure.

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
