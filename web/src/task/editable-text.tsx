// In charge of a line of text that is edited where it stands, and looks like text until it is.
import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { ChangedMeanwhile } from './conflict.ts'
import { useDraft } from './use-draft.ts'

type Props = {
  label: string
  value: string
  className: string
  disabled: boolean
  save: (value: string) => Promise<void>
}

export function EditableText({ label, value, className, disabled, save }: Props) {
  const { draft, setDraft, isOvertaken, letGo, settle } = useDraft(value)
  const [error, setError] = useState<string | null>(null)
  const refuse = (problem: unknown) => {
    if (problem instanceof ChangedMeanwhile) letGo()
    setError(fieldError(problem, 'name') ?? wordsOf(problem))
  }
  const commit = () => {
    const next = draft.trim()
    if (next === '' || next === value) {
      letGo()
      return setError(null)
    }
    if (isOvertaken()) return refuse(new ChangedMeanwhile())
    const keep = () => {
      settle(draft)
      setError(null)
    }
    save(next).then(keep, refuse)
  }
  return (
    <Textarea
      aria-label={label}
      className={className}
      variant="unstyled"
      autosize
      minRows={1}
      maxLength={255}
      classNames={{ input: 'in-place' }}
      disabled={disabled}
      error={error}
      value={draft}
      // A name is one line: what a paste brings in is joined.
      onChange={(event) => setDraft(event.currentTarget.value.replaceAll(/\s*\n\s*/g, ' '))}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault()
          event.currentTarget.blur()
        }
        if (event.key === 'Escape') {
          letGo()
          setError(null)
        }
      }}
    />
  )
}
