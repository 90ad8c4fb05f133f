// In charge of a name in a list row; users can edit the name in place.
import { Textarea } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { growsByItself } from './grows-by-itself.ts'
import { useWrite } from './use-write.ts'

/** `list`: the key of the query that is loaded again after a change. */
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
    // The field has several lines, because a field of one line would cut off long names on a narrow screen.
    <Textarea
      size="xs"
      variant="unstyled"
      {...(growsByItself ? { rows: 1 } : { autosize: true, minRows: 1 })}
      classNames={{ input: 'in-row' }}
      aria-label={`Name of ${before}`}
      maxLength={120}
      readOnly={!canWrite}
      value={name}
      error={rename.isError ? (fieldError(rename.error, 'name') ?? wordsOf(rename.error)) : null}
      onChange={(event) => setName(event.currentTarget.value.replaceAll(/\s*\n\s*/g, ' '))}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setName(before)
        if (event.key !== 'Enter') return
        event.preventDefault()
        event.currentTarget.blur()
      }}
    />
  )
}
