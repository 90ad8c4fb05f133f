// In charge of one field that is edited in place: what is typed, saving it, and what the service says about it.
import { useState } from 'react'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { ChangedMeanwhile } from './conflict.ts'
import { useDraft } from './use-draft.ts'
import type { Save } from './use-task-edit.ts'

export type Field<T> = {
  draft: T
  setDraft: (value: T) => void
  /** Saves a value unless it is what is there already. */
  commit: (value: T) => void
  reset: () => void
  error: string | null
  saving: boolean
}

/** `toWire` makes of the draft what is saved: texts become null where they are empty. */
export function useField<T>(name: string, value: T, save: Save, toWire: (draft: T) => unknown): Field<T> {
  const { draft, setDraft, isOvertaken, letGo, settle } = useDraft(value)
  const [error, setError] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const refuse = (problem: unknown) => {
    if (problem instanceof ChangedMeanwhile) letGo()
    setError(fieldError(problem, name) ?? wordsOf(problem))
  }
  const reset = () => {
    letGo()
    setError(null)
  }
  const commit = (next: T) => {
    setDraft(next)
    if (JSON.stringify(toWire(next)) === JSON.stringify(toWire(value))) return reset()
    if (isOvertaken()) return refuse(new ChangedMeanwhile())
    setSaving(true)
    const keep = () => {
      settle(next)
      setError(null)
    }
    save({ [name]: toWire(next) })
      .then(keep, refuse)
      .finally(() => setSaving(false))
  }
  return { draft, setDraft, commit, reset, error, saving }
}
