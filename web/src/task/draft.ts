// In charge of a draft: text typed over a value that others may change at the same time. Other users' changes are shown unless
// they would replace the typed text. Pure.

/** `typed`: what the field contains; `base`: the saved value at the time when the typing began. */
export type Draft<T> = { typed: T; base: T }

/** Whether two values are equal in the form in which they are saved. */
export type Same<T> = (a: T, b: T) => boolean

export const begunOn = <T>(value: T): Draft<T> => ({ typed: value, base: value })

export const isDirty = <T>({ typed, base }: Draft<T>, same: Same<T>): boolean => !same(typed, base)

/** Returns the draft after the saved value has changed to `value`. Unsaved text is kept; otherwise the field shows `value`. */
export function withValue<T>(draft: Draft<T>, value: T, same: Same<T>): Draft<T> {
  if (Object.is(draft.typed, value) && Object.is(draft.base, value)) return draft
  return isDirty(draft, same) && !same(draft.typed, value) ? draft : begunOn(value)
}

/** Whether somebody else has changed the value since the typing began, to something other than the typed text. */
export const isOvertaken = <T>(draft: Draft<T>, value: T, same: Same<T>): boolean =>
  isDirty(draft, same) && !same(value, draft.base) && !same(value, draft.typed)

/**
 * Returns the draft after `saved` was saved; the user may have typed more meanwhile. `value` is the saved value that the page has
 * rendered: still the old one if the response is not rendered yet, or not quite `saved` if the service normalised the text.
 */
export function afterSave<T>(draft: Draft<T>, saved: T, value: T, same: Same<T>): Draft<T> {
  const hasArrived = !same(value, draft.base)
  const isUntouched = same(draft.typed, saved)
  if (!hasArrived) return { typed: draft.typed, base: saved }
  return { typed: isUntouched ? value : draft.typed, base: value }
}
