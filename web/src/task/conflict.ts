// In charge of whether a change that came too late may be made all the same: where what it changes is still what its
// writer saw, nothing of anybody is undone. Pure.

export function mayRepeat(
  seen: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): boolean {
  return Object.keys(patch).every((name) => JSON.stringify(seen[name]) === JSON.stringify(now[name]))
}

/** Thrown, or told, where somebody else changed the same. */
export class ChangedMeanwhile extends Error {
  constructor() {
    super('Somebody changed this meanwhile; this is how it is now. Change it again if you still want to.')
  }
}
