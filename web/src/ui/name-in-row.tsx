// In charge of a name in a list row; users can edit the name in place.
import { Textarea } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { growsByItself } from './grows-by-itself.ts'
import { isCommand } from './keys.ts'
import { changedName, draftOf, followed, isOvertaken, rebased, settled } from './name-draft.ts'
import { OvertakenNote } from './overtaken-note.tsx'
import { useWrite } from './use-write.ts'

/** `list`: the key of the query that is loaded again after a change. */
type Props = { name: string; canWrite: boolean; list: QueryKey; write: (name: string) => Promise<unknown> }

export function NameInRow({ name: before, canWrite, list, write }: Props) {
  const [draft, setDraft] = useState(() => draftOf(before))
  const rename = useWrite({ write, list, quiet: true })
  useEffect(() => setDraft((now) => followed(now, before)), [before])
  const reset = () => setDraft(draftOf(draft.saved))
  const overtaken = isOvertaken(draft, rename.variables)
  const save = (name: string) => rename.mutate(name, { onSuccess: () => setDraft((now) => settled(now, name)) })
  const commit = () => {
    const name = changedName(draft)
    if (name === null) reset()
    else if (!overtaken) save(name)
  }
  const useMine = () => {
    setDraft(rebased)
    save(draft.text.trim())
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
      inputContainer={(input) => (
        <>
          {input}
          {overtaken ? <OvertakenNote theirs={draft.saved} useMine={useMine} takeTheirs={reset} /> : null}
        </>
      )}
      value={draft.text}
      error={rename.isError ? (fieldError(rename.error, 'name') ?? wordsOf(rename.error)) : null}
      onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value.replaceAll(/\s*\n\s*/g, ' ') })}
      onBlur={commit}
      onKeyDown={(event) => {
        if (!isCommand(event)) return
        if (event.key === 'Escape') reset()
        if (event.key !== 'Enter') return
        event.preventDefault()
        event.currentTarget.blur()
      }}
    />
  )
}
