// In charge of what is typed over a value that others may change at the same time: what they did shows, unless it would
// wipe out something that is typed. Pure.

/** What is typed, and the value that the typing began on. */
export type Draft<T> = { typed: T; base: T }

/** Whether two values are saved as the same. */
export type Same<T> = (a: T, b: T) => boolean

export const begunOn = <T>(value: T): Draft<T> => ({ typed: value, base: value })

export const isDirty = <T>({ typed, base }: Draft<T>, same: Same<T>): boolean => !same(typed, base)

/** The draft once the value has become this one. */
export function withValue<T>(draft: Draft<T>, value: T, same: Same<T>): Draft<T> {
  if (Object.is(draft.typed, value) && Object.is(draft.base, value)) return draft
  return isDirty(draft, same) && !same(draft.typed, value) ? draft : begunOn(value)
}

/** Whether somebody has changed the value since the typing began, and to something else than what is typed. */
export const isOvertaken = <T>(draft: Draft<T>, value: T, same: Same<T>): boolean =>
  isDirty(draft, same) && !same(value, draft.base) && !same(value, draft.typed)

/** The draft once `saved` has been saved: the service may have written it a little differently, and typing may go on. */
export function afterSave<T>(draft: Draft<T>, saved: T, value: T, same: Same<T>): Draft<T> {
  const hasArrived = !same(value, draft.base)
  const isUntouched = same(draft.typed, saved)
  if (!hasArrived) return { typed: draft.typed, base: saved }
  return { typed: isUntouched ? value : draft.typed, base: value }
}
