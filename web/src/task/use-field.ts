// In charge of one field that is edited in place: its draft, saving it, errors that the service returns, and changes that somebody
// else makes meanwhile.
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { ChangedMeanwhile } from '../lib/conflict.ts'
import { fieldError, isUnreachable, wordsOf, wordsOfService } from '../lib/errors.ts'
import { forgetDraft, keptDraft } from '../lib/kept-drafts.ts'
import { isNotSignedIn } from '../lib/session.ts'
import { type Failure, tryAgainLater } from '../lib/try-again.ts'
import { type LateSave, useSaveWithoutField } from './late-save.ts'
import { creativeDrafts } from './removed.ts'
import { type DraftState, takeFormerDraft, useDraft } from './use-draft.ts'
import type { Save } from './use-task-edit.ts'

/**
 * The record to which the fields belong: a creative of the task, or the task itself if `creativeId` is null. Each record has drafts
 * of its own. The ids are also used to find out, from the history of the task, who changed a member of the record.
 */
export type Edited = {
  taskId: string
  creativeId: string | null
  /** Whether the record cannot be changed now, because the task is deleted or the user may not write. */
  disabled: boolean
  /** How its members are saved when their fields have disappeared; left out if they are not. */
  late?: LateSave
}
export const EditedContext = createContext<Edited>({ taskId: '', creativeId: null, disabled: false })

/**
 * The reasons why the text in a field is not saved: somebody else has changed the value, the session has ended, the service cannot be
 * reached or cannot save now, or the text was typed in an earlier visit. If the service has refused the text, the field has an
 * `error` instead.
 */
export type FieldState = 'overtaken' | 'signedOut' | 'unreachable' | 'unsaved'

export type Field<T> = {
  name: string
  draft: T
  setDraft: (value: T) => void
  /** Saves a value, unless the saved value is the same already, or somebody else has changed the saved value meanwhile. */
  commit: (value: T) => void
  reset: () => void
  error: string | null
  saving: boolean
  state: FieldState | null
  /** What the service says about why it cannot save now; null if it says nothing. */
  why: string | null
  /** The value that the service has now. */
  theirs: T
  /** Saves the typed text in place of a value that somebody else has saved. */
  useMine: () => void
}

type Kind<T> = {
  /** Converts a draft to the value that is saved, for example an empty text to null. */
  toWire: (draft: T) => unknown
  isValue: (value: unknown) => value is T
  /** Returns why a draft cannot be saved, for example because a date is incomplete; null if it can. */
  problemOf?: (draft: T) => string | null
  /** Set if the value is only a part of a member, such as a cell of a table. */
  isPart?: true
}

export function useField<T>(
  name: string,
  value: T,
  save: Save,
  { toWire, isValue, problemOf, isPart }: Kind<T>,
): Field<T> {
  const same = (a: T, b: T) => JSON.stringify(toWire(a)) === JSON.stringify(toWire(b))
  const { disabled, late = null } = useContext(EditedContext)
  const key = useDraftKey(name, isValue)
  const draft = useDraft(key, value, same, isValue)
  const [error, setError] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const [notSent, setNotSent] = useState<NotSent<T> | null>(null)
  const isGone = useSaveWithoutField(key, isPart ? null : late, saving ? null : notSent, async (how) => {
    const kept = keptDraft(key, isValue)
    if (kept === null) return
    await how.save({ [name]: toWire(kept.typed) }, { [name]: toWire(kept.base) })
    forgetDraft(key)
  })
  const refuse = (typed: T, problem: unknown) => {
    // After a session has ended, the live connection comes back with the next one, as after an interruption.
    const mayBeOver = isNotSignedIn(problem) || isUnreachable(problem)
    if (mayBeOver && isGone(problem)) return
    // The user may have discarded the text meanwhile.
    const isKept = mayBeOver && !same(draft.now().typed, draft.now().base)
    setNotSent((before) => (isKept ? { typed, error: problem, failures: (before?.failures ?? 0) + 1 } : null))
    // After `ChangedMeanwhile`, `writeTask` has already read the newest value, so the field shows the conflict by itself.
    if (!mayBeOver && !(problem instanceof ChangedMeanwhile)) setError(fieldError(problem, name) ?? wordsOf(problem))
  }
  /** What was sent last. */
  const sent = useRef(value)
  const send = (typed: T) => {
    sent.current = typed
    draft.leave()
    const problem = problemOf?.(typed) ?? null
    setError(problem)
    if (problem !== null) return setNotSent(null)
    // `notSent` stays during the attempt, so that its note does not come and go with each.
    setSaving(true)
    save({ [name]: toWire(typed) })
      .then(
        () => {
          draft.settle(typed)
          setNotSent(null)
        },
        (problem: unknown) => refuse(typed, problem),
      )
      .finally(() => setSaving(false))
  }
  const reset = () => {
    // What is being saved cannot be taken back, so only what was typed after it is discarded.
    if (saving) return draft.setTyped(sent.current)
    draft.letGo()
    setError(null)
    setNotSent(null)
  }
  const commit = (next: T) => {
    draft.setTyped(next)
    // While another value is being saved, the saved value is about to be that one.
    if (same(next, value) && !saving) return reset()
    // It is under way already, for example because its note has put the focus into the field, which is left now.
    if (draft.isOvertaken() || (saving && same(next, sent.current))) return draft.leave()
    send(next)
  }
  const useMine = () => {
    draft.rebase()
    send(draft.now().typed)
  }
  useAgain({
    /** If text of an earlier visit could not be saved when the user left the field, it is saved as soon as the field appears. */
    atOnce: draft.restored?.left === true,
    notSent,
    /** Text that was refused because the record could not be changed, or that was in the field when this became so. */
    whenEnabled: draft.restored === null && !same(draft.typed, value),
    disabled,
    saving,
    act: () => {
      const { typed } = draft.now()
      // Somebody who is writing on is given another pause, so that no half of a word is saved.
      if (notSent && !same(typed, notSent.typed)) setNotSent({ ...notSent, typed })
      else commit(typed)
    },
  })
  return {
    ...{ name, commit, reset, useMine, error, saving },
    state: saving ? reasonOf(notSent) : stateOf(draft, notSent),
    ...{ draft: draft.typed, setDraft: draft.setTyped },
    why: notSent && wordsOfService(notSent.error),
    theirs: value,
  }
}

/** The key under which the draft of a member of the edited task or creative is kept. */
function useDraftKey<T>(name: string, isValue: Kind<T>['isValue']): string {
  const { taskId, creativeId } = useContext(EditedContext)
  const key = `${creativeId === null ? taskId : creativeDrafts(taskId) + creativeId} ${name}`
  // Version 0.2.0 kept the drafts of a creative under keys that did not name the task.
  useState(() => creativeId !== null && takeFormerDraft(`${creativeId} ${name}`, key, isValue))
  return key
}

/** What could not be sent, and why, if that may be over soon. */
type NotSent<T> = Failure & { typed: T }
type Standing = Pick<DraftState<unknown>, 'overtaken' | 'restored'>

function reasonOf(notSent: Failure | null): FieldState | null {
  if (notSent === null) return null
  return isNotSignedIn(notSent.error) ? 'signedOut' : 'unreachable'
}

function stateOf({ overtaken, restored }: Standing, notSent: Failure | null): FieldState | null {
  if (overtaken) return 'overtaken'
  return reasonOf(notSent) ?? (restored ? 'unsaved' : null)
}

type Again = {
  atOnce: boolean
  notSent: Failure | null
  whenEnabled: boolean
  disabled: boolean
  saving: boolean
  act: () => void
}

/**
 * Calls `act`, which saves again: when the field appears if `atOnce`, when the service may be able to save by now if `notSent`, and
 * when the record can be changed again if `whenEnabled`.
 */
function useAgain({ atOnce, notSent, whenEnabled, disabled, saving, act }: Again): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  const [first] = useState(atOnce)
  useEffect(() => {
    if (first) latest.current()
  }, [first])
  useEffect(() => (notSent && !saving ? tryAgainLater(notSent, () => latest.current()) : undefined), [notSent, saving])
  /** True from when the record cannot be changed until it can again and nothing is being saved that may still be refused. */
  const wasDisabled = useRef(disabled)
  useEffect(() => {
    if (disabled) wasDisabled.current = true
    if (disabled || saving || !wasDisabled.current) return
    wasDisabled.current = false
    if (whenEnabled) latest.current()
  }, [disabled, saving, whenEnabled])
}
