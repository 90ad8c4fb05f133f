// In charge of one field that is edited in place: what is typed, saving it, and what the service says about it.
import { useEffect, useState } from 'react'
import { fieldError, wordsOf } from '../lib/errors.ts'
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
  const [draft, setDraft] = useState(value)
  const [error, setError] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const text = JSON.stringify(value)
  // What others change shows, unless something is being typed over it.
  useEffect(() => setDraft(JSON.parse(text)), [text])
  const commit = (next: T) => {
    setDraft(next)
    if (JSON.stringify(toWire(next)) === JSON.stringify(toWire(value))) return setError(null)
    setSaving(true)
    save({ [name]: toWire(next) })
      .then(
        () => setError(null),
        (problem: unknown) => setError(fieldError(problem, name) ?? wordsOf(problem)),
      )
      .finally(() => setSaving(false))
  }
  const reset = () => {
    setDraft(value)
    setError(null)
  }
  return { draft, setDraft, commit, reset, error, saving }
}
