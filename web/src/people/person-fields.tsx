// In charge of the fields for a person's name and address of mail, in the dialogs that add and change people.
import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { fieldError, wordsOf } from '../lib/errors.ts'

type Named = { name: string; email: string }
type Props = {
  draft: Named
  change: (draft: Named) => void
  /** The error of the last attempt to save; null if there is none. */
  error: unknown
  isNameNeeded: boolean
  /** What is shown right below the fields; nothing if left out. */
  notes?: { name?: ReactNode; email?: ReactNode }
}

export function PersonFields({ draft: { name, email }, change, error, isNameNeeded, notes = {} }: Props) {
  const problems = { name: fieldError(error, 'name'), email: fieldError(error, 'email') }
  const isElsewhere = error !== null && problems.name === null && problems.email === null
  return (
    <>
      <TextInput
        data-autofocus
        label="Name"
        required={isNameNeeded}
        maxLength={255}
        error={problems.name}
        inputContainer={withNote(notes.name)}
        value={name}
        onChange={(event) => change({ name: event.currentTarget.value, email })}
      />
      <TextInput
        label="Email"
        description="Where notices by mail go"
        type="email"
        maxLength={255}
        error={problems.email}
        inputContainer={withNote(notes.email)}
        value={email}
        onChange={(event) => change({ name, email: event.currentTarget.value })}
      />
      {isElsewhere ? (
        <p className="problem" role="alert">
          {wordsOf(error)}
        </p>
      ) : null}
    </>
  )
}

const withNote = (note: ReactNode) => (input: ReactNode) => (
  <>
    {input}
    {note}
  </>
)
