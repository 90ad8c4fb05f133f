// In charge of a name in a row of a list that can be edited in place.
import { TextInput } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { useWrite } from './use-write.ts'

/** `list`: the query that is read again after a change. */
type Props = { name: string; canWrite: boolean; list: QueryKey; write: (name: string) => Promise<unknown> }

export function NameInRow({ name: before, canWrite, list, write }: Props) {
  const [name, setName] = useState(before)
  const rename = useWrite({ write, list, quiet: true })
  const commit = () => {
    const next = name.trim()
    if (next === '') setName(before)
    else if (next !== before) rename.mutate(next)
  }
  return (
    <TextInput
      size="xs"
      variant="unstyled"
      classNames={{ input: 'in-row' }}
      aria-label={`Name of ${before}`}
      maxLength={120}
      readOnly={!canWrite}
      value={name}
      error={rename.isError ? (fieldError(rename.error, 'name') ?? wordsOf(rename.error)) : null}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
    />
  )
}
