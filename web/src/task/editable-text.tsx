// In charge of a line of text that is edited where it stands, and looks like text until it is.
import { Textarea } from '@mantine/core'
import { useEffect, useState } from 'react'
import { fieldError, wordsOf } from '../lib/errors.ts'

type Props = {
  label: string
  value: string
  className: string
  disabled: boolean
  save: (value: string) => Promise<void>
}

export function EditableText({ label, value, className, disabled, save }: Props) {
  const [draft, setDraft] = useState(value)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => setDraft(value), [value])
  const commit = () => {
    const next = draft.trim()
    if (next === '' || next === value) {
      setDraft(value)
      return setError(null)
    }
    save(next).then(
      () => setError(null),
      (problem: unknown) => setError(fieldError(problem, 'name') ?? wordsOf(problem)),
    )
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
          setDraft(value)
          setError(null)
        }
      }}
    />
  )
}
