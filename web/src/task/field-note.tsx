// In charge of the note under a field whose text is not saved: why it is not, what somebody else wrote, and what the user can do.
import { Button, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useContext, useEffect, useRef } from 'react'
import { agoWords } from '../lib/dates.ts'
import { callerQuery, lastChangeQuery } from '../lib/queries.ts'
import { useNow } from '../lib/use-now.ts'
import { offIf } from '../ui/reason.tsx'
import '../ui/field-note.css'
import { EditedContext, type Field, type FieldState } from './use-field.ts'

type Props<T> = {
  field: Field<T>
  /** Returns the text of a value; the text of null is empty. */
  words: (value: T) => string
}

export function FieldNote<T>({ field, words }: Props<T>) {
  const place = useRef<HTMLDivElement>(null)
  const theirs = words(field.theirs)
  // Scrolls the note into view, but only if the focus is in this field.
  useEffect(() => {
    const isHere = place.current?.parentElement?.contains(document.activeElement) ?? false
    if (isHere) place.current?.scrollIntoView({ block: 'nearest' })
  }, [field.state, theirs])
  if (field.state === null) return null
  /** Makes a handler that moves the focus to the field before it acts, because the pressed button disappears with the note. */
  const choosing = (act: () => void) => () => {
    if (field.saving) return
    place.current?.parentElement?.querySelector<HTMLElement>('input, textarea')?.focus()
    act()
  }
  const mine = choosing(field.state === 'overtaken' ? field.useMine : () => field.commit(field.draft))
  return (
    <div ref={place} className="field-note" role="alert" data-state={field.state}>
      {notes[field.state](field, theirs)}
      <span className="field-note-tools">
        <Button size="compact-xs" variant="light" onClick={mine} {...offIf(field.saving)}>
          {mineWords[field.state]}
        </Button>
        <Button size="compact-xs" variant="default" onClick={choosing(field.reset)} {...offIf(field.saving)}>
          {field.state === 'overtaken' ? 'Take theirs' : 'Discard'}
        </Button>
      </span>
    </div>
  )
}

const mineWords = { overtaken: 'Use mine', signedOut: 'Try again', unreachable: 'Try again', unsaved: 'Save' } as const

const notes: Record<FieldState, (field: Pick<Field<never>, 'name' | 'why'>, theirs: string) => ReactNode> = {
  overtaken: ({ name }, theirs) => <Overtaken name={name} theirs={theirs} />,
  signedOut: () => <span>Not saved: you are signed out. It is saved once you sign in.</span>,
  unreachable: ({ why }) =>
    why === null ? (
      <span>Not saved: the service cannot be reached. It is saved as soon as the connection is back.</span>
    ) : (
      <span>Not saved: {why} It is saved as soon as that is over.</span>
    ),
  unsaved: () => <span>You wrote this before, and it is not saved yet.</span>,
}

function Overtaken({ name, theirs }: { name: string; theirs: string }) {
  const change = useQuery(lastChangeQuery(useContext(EditedContext), name, theirs)).data
  const caller = useQuery(callerQuery).data
  const now = useNow()
  const isMine = change?.by?.user_id !== undefined && change.by.user_id === caller?.user?.id
  const who = isMine ? 'You' : (change?.by?.name ?? 'Somebody')
  const where = isMine ? ' elsewhere' : ''
  const when = change ? ` ${agoWords(change.at, now)}` : ''
  return (
    <>
      <span>
        <strong>{who}</strong> {theirs === '' ? 'emptied' : 'changed'} this{where}
        {when}, while you were writing. {theirs === '' ? '' : 'It says now:'}
      </span>
      {theirs === '' ? null : <Theirs text={theirs} />}
      <span>What you wrote stands above, and is not saved.</span>
    </>
  )
}

/** Shows what somebody else wrote; a long text can be scrolled and copied. */
const Theirs = ({ text }: { text: string }) =>
  text.length > 80 || text.includes('\n') ? (
    <Textarea readOnly aria-label="What it says now" autosize maxRows={10} value={text} />
  ) : (
    <q>{text}</q>
  )
