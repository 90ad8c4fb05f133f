// In charge of the React hook for the draft of a field: the draft follows the saved value, but unsaved text is never replaced.
import { useEffect, useRef, useState } from 'react'
import { forgetDraft, keepDraft, keptDraft } from '../lib/kept-drafts.ts'
import { afterSave, begunOn, type Draft, isDirty, isOvertaken, type Same, withValue } from './draft.ts'

export type DraftState<T> = {
  typed: T
  /** Returns the draft as it is now, for code that runs after the render. */
  now: () => Draft<T>
  setTyped: (typed: T) => void
  /** Whether somebody else has changed the value meanwhile: `overtaken` as of the last render, `isOvertaken()` as of now. */
  overtaken: boolean
  isOvertaken: () => boolean
  /** Not null while the field shows unsaved text of an earlier visit. `left`: the user had left the field to have it saved. */
  restored: { left: boolean } | null
  /** Discards the typed text and shows the saved value. */
  letGo: () => void
  /** Keeps the typed text, and treats it as a change of the newest saved value. */
  rebase: () => void
  settle: (saved: T) => void
  /** Must be called when the user leaves the field. */
  leave: () => void
}

/** Brings a draft that is kept under the key `former` under the key `key`, unless there is one already. */
export function takeFormerDraft<T>(former: string, key: string, isValue: (value: unknown) => value is T): void {
  const kept = keptDraft(former, isValue)
  if (kept === null) return
  forgetDraft(former)
  if (keptDraft(key, isValue) === null) keepDraft(key, kept)
}

export function useDraft<T>(
  key: string,
  value: T,
  same: Same<T>,
  isValue: (value: unknown) => value is T,
): DraftState<T> {
  const [kept] = useState(() => keptDraft(key, isValue))
  const [draft, setDraft] = useState<Draft<T>>(() => (kept ? withValue(kept, value, same) : begunOn(value)))
  const [restored, setRestored] = useState(kept)
  const left = useRef(kept?.left ?? false)
  const latest = useRef({ draft, value, same })
  latest.current = { draft, value, same }
  const change = (next: Draft<T>) => {
    latest.current.draft = next
    setDraft(next)
    setRestored(null)
    if (isDirty(next, same)) keepDraft(key, { ...next, left: left.current })
    else forgetDraft(key)
  }
  const changed = useRef(change)
  changed.current = change
  const text = JSON.stringify(value)
  // Values are compared as JSON text, because a reload returns a new object even if the content is the same.
  useEffect(() => {
    const { draft, value, same } = latest.current
    const next = withValue(draft, value, same)
    if (next !== draft) changed.current(next)
    else if (!isDirty(draft, same)) forgetDraft(key)
  }, [text, key])
  return {
    typed: draft.typed,
    now: () => latest.current.draft,
    setTyped: (typed) => {
      left.current = false
      change({ typed, base: latest.current.draft.base })
    },
    overtaken: isOvertaken(draft, value, same),
    isOvertaken: () => isOvertaken(latest.current.draft, latest.current.value, same),
    restored: restored && isDirty(draft, same) ? restored : null,
    letGo: () => change(begunOn(latest.current.value)),
    rebase: () => change({ typed: latest.current.draft.typed, base: latest.current.value }),
    settle: (saved) => change(afterSave(latest.current.draft, saved, latest.current.value, latest.current.same)),
    leave: () => {
      left.current = true
      const { draft } = latest.current
      if (isDirty(draft, same)) keepDraft(key, { ...draft, left: true })
    },
  }
}
