// In charge of a name in a list row; users can edit the name in place. Like a field of a task, it replaces what somebody else has
// saved meanwhile only if the user says so, and a name that could not be saved is kept, and saved once that is possible again.
import { oneLine } from '@atelier/contract/one-line.ts'
import { Textarea } from '@mantine/core'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { ChangedMeanwhile } from '../lib/conflict.ts'
import { forgetDraft } from '../lib/kept-drafts.ts'
import { FieldNote } from '../task/field-note.tsx'
import { EditedContext, useField } from '../task/use-field.ts'
import { growsByItself } from '../ui/grows-by-itself.ts'
import { isCommand } from '../ui/keys.ts'
import { OvertakenNote } from '../ui/overtaken-note.tsx'

type Named = { id: string; name: string }

/** `list`: the key of the query that has the rows; `read` reads them again, and `write` saves a name. */
type Props = {
  row: Named
  canWrite: boolean
  list: QueryKey
  read: () => Promise<readonly Named[]>
  write: (name: string) => Promise<Named>
}

/** How a list is read before a name is saved: from the service, and not later. The field itself tries again if that fails. */
export const readNow = { staleTime: 0, retry: false, networkMode: 'always' } as const

export function NameInRow(props: Props) {
  const { id } = props.row
  const edited = useMemo(() => ({ taskId: id, creativeId: null, disabled: !props.canWrite }), [id, props.canWrite])
  return (
    <EditedContext value={edited}>
      <NameField {...props} />
    </EditedContext>
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

function NameField({ row, canWrite, ...props }: Props) {
  const rename = useRename(row, props)
  const field = useField('name', row.name, ({ name }) => rename(String(name)), { toWire: oneLine, isValue: isText })
  useDraftOfRow(row.id, props.list)
  return (
    // The field has several lines, because a field of one line would cut off long names on a narrow screen.
    <Textarea
      size="xs"
      variant="unstyled"
      {...(growsByItself ? { rows: 1 } : { autosize: true, minRows: 1 })}
      classNames={{ input: 'in-row' }}
      aria-label={`Name of ${row.name}`}
      maxLength={120}
      readOnly={!canWrite}
      inputContainer={(input) => (
        <>
          {input}
          {field.state === 'overtaken' ? (
            <OvertakenNote theirs={field.theirs} useMine={field.useMine} takeTheirs={field.reset} />
          ) : (
            <FieldNote field={field} words={(name) => name} />
          )}
        </>
      )}
      value={field.draft}
      error={field.error}
      onChange={(event) => field.setDraft(event.currentTarget.value.replaceAll(/\s*\n\s*/g, ' '))}
      // A name is required, so an empty one is not saved.
      onBlur={() => (field.draft.trim() === '' ? field.reset() : field.commit(field.draft))}
      onKeyDown={(event) => {
        if (!isCommand(event)) return
        if (event.key === 'Escape') field.reset()
        if (event.key !== 'Enter') return
        event.preventDefault()
        event.currentTarget.blur()
      }}
    />
  )
}

/**
 * Returns a function that saves a name, unless the service has another one by now than the user has seen. The service knows no
 * conditional writes of these names, so the list is read right before.
 */
function useRename({ id, name: seen }: Named, { list, read, write }: Pick<Props, 'list' | 'read' | 'write'>) {
  const client = useQueryClient()
  /** The last name that the user has saved, which the row may not show yet. */
  const own = useRef<string | null>(null)
  const { mutateAsync } = useMutation({
    mutationFn: async (given: { name: string; seen: string }) => {
      // A read that was begun before may wait for a connection, or have missed what others have saved since.
      await client.cancelQueries({ queryKey: list, exact: true })
      const now = (await read()).find((one) => one.id === id)?.name
      if (now !== undefined && ![given.seen, given.name, own.current].includes(now)) throw new ChangedMeanwhile()
      const saved = await write(given.name)
      own.current = saved.name
      client.setQueryData<readonly Named[]>(list, (rows) =>
        rows?.map((one) => (one.id === id ? { ...one, name: saved.name } : one)),
      )
    },
    scope: { id: `name-${id}` },
    onSettled: () => void client.invalidateQueries({ queryKey: list }),
  })
  return (name: string) => mutateAsync({ name, seen })
}

/** Forgets what was typed when the row is gone from its list; otherwise the browser would ask before it closes the page. */
function useDraftOfRow(id: string, list: QueryKey): void {
  const client = useQueryClient()
  const latest = useRef(list)
  useEffect(
    () => () => {
      const rows = client.getQueryData<readonly Named[]>(latest.current)
      if (rows && !rows.some((one) => one.id === id)) forgetDraft(`${id} name`)
    },
    [client, id],
  )
}
