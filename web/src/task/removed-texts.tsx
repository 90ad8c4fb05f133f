// In charge of showing text that a user was typing into a record when somebody else removed the record: the text stays in sight until
// the user discards it, and comes back into its field if the record comes back.
import { Button, Textarea } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import { call } from '../lib/api.ts'
import { agoWords } from '../lib/dates.ts'
import { forgetDraft, keptDraft } from '../lib/kept-drafts.ts'
import { callerQuery } from '../lib/queries.ts'
import { useNow } from '../lib/use-now.ts'
import '../ui/field-note.css'
import type { RemovedText } from './removed.ts'

type Props = {
  taskId: string
  removed: readonly RemovedText[]
  /** Selectors of what gets the focus when a note disappears, among the elements beside the notes: the first one that is there. */
  next: readonly string[]
  /** Another use of a text; a note with a button for it disappears when the button is pressed. */
  use?: { label: string; act: (text: string) => void }
}

export function RemovedTexts({ taskId, removed, next, use }: Props) {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const texts = removed.map((one) => ({ ...one, text: textUnder(one.key) }))
  const blank = texts.filter(({ text }) => text === '').map(({ key }) => key)
  const blankKeys = blank.join('\n')
  // A draft without text, such as an emptied field, is nothing to keep: the browser would ask about it before it closes the page.
  useEffect(() => {
    for (const key of blankKeys.split('\n')) forgetDraft(key)
  }, [blankKeys])
  return texts
    .filter(({ text }) => text !== '')
    .map((one) => {
      const forget = () => {
        forgetDraft(one.key)
        redraw()
      }
      return <Note key={one.key} {...{ taskId, next, forget }} removed={one} {...(use ? { use } : {})} />
    })
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'

/** The typed text that is kept under a key, without the spaces around it; empty if there is none. */
const textUnder = (key: string): string => keptDraft(key, isTextOrNull)?.typed?.trim() ?? ''

type NoteProps = Omit<Props, 'removed'> & { removed: RemovedText & { text: string }; forget: () => void }

function Note({ taskId, removed, next, use, forget }: NoteProps) {
  const { text, did } = removed
  const place = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const removal = useQuery(removalQuery(taskId, removed)).data
  const caller = useQuery(callerQuery).data
  const now = useNow()
  const isMine = removal?.by?.user_id != null && removal.by.user_id === caller?.user?.id
  const who = isMine ? 'You' : (removal?.by?.name ?? 'Somebody')
  // The field in which the user was typing has disappeared with the focus. Keys that are pressed now must not press a button.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) field.current?.focus()
    const element = place.current
    // If the record comes back, this note disappears by itself.
    return () => {
      if (element?.contains(document.activeElement)) element.closest<HTMLElement>('.task-panel')?.focus()
    }
  }, [])
  /** Makes a handler that moves the focus before it acts, because the pressed button disappears with the note. */
  const choosing = (act: () => void) => () => {
    const around = place.current?.parentElement
    const beside = next.map((selector) => around?.querySelector<HTMLElement>(selector)).find((one) => one != null)
    ;(beside ?? place.current?.closest<HTMLElement>('.task-panel'))?.focus()
    act()
  }
  return (
    <div ref={place} className="field-note" role="alert" data-state="overtaken">
      <span>
        <strong>{who}</strong> {did} {removal ? `That was ${agoWords(removal.at, now)}. ` : ''}What you wrote is not
        saved:
      </span>
      <Textarea ref={field} readOnly aria-label="What you wrote" autosize maxRows={10} value={text} />
      <span className="field-note-tools">
        {use ? (
          <Button
            size="compact-xs"
            variant="light"
            onClick={choosing(() => {
              use.act(text)
              forget()
            })}
          >
            {use.label}
          </Button>
        ) : null}
        <Button size="compact-xs" variant="default" onClick={choosing(forget)}>
          Discard
        </Button>
      </span>
    </div>
  )
}

/** The entry of the task's history that tells the removal; null if none of the last 100 entries does. */
const removalQuery = (taskId: string, { key, isRemoval }: RemovedText) =>
  queryOptions({
    queryKey: ['activity', taskId, 'removal', key],
    queryFn: async () => {
      const { items } = await call('listActivity', { params: { task_id: taskId }, query: { limit: 100 } })
      return items.find(isRemoval) ?? null
    },
  })
