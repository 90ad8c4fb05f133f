// In charge of whether a change that was based on an old revision can still be saved: it can if nobody else has changed the
// members that it changes. Pure.

export function mayRepeat(
  seen: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): boolean {
  return Object.keys(patch).every((name) => JSON.stringify(seen[name]) === JSON.stringify(now[name]))
}

/** Thrown or returned if somebody else has changed the same member. */
export class ChangedMeanwhile extends Error {
  constructor() {
    super('Somebody changed this meanwhile; this is how it is now. Change it again if you still want to.')
  }
}
