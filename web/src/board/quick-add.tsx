// In charge of adding several tasks to a column one after another: the user types only names, or pastes a list of them, and may select a
// template.

import type { TaskStatus } from '@atelier/contract/enums.ts'
import { oneLine } from '@atelier/contract/one-line.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { templatesQuery } from '../lib/queries.ts'
import type { TaskTemplateHead } from '../lib/types.ts'
import { isCommand } from '../ui/keys.ts'
import { tellError } from '../ui/toasts.tsx'
import { useTellIfHidden } from './hidden-task.ts'
import { forgetNewTask, keepNewTask, keptNewTask, moveNewTask, useKeptNewTask } from './kept-new-task.ts'
import { createTask } from './new-task.ts'
import { PastedList } from './pasted-list.tsx'
import { pastedNames } from './pasted-names.ts'
import { closeAdding, focusColumn, openAdding, wasAdding } from './selection.ts'
import { boardWrite } from './use-feeds.ts'
import { useOpenTask } from './use-open-task.ts'

/** A row that was opened in another column meanwhile waits for the same request. */
const adding = [...boardWrite, 'new-task'] as const

export function QuickAdd({ status, label }: { status: TaskStatus; label: string }) {
  const kept = useKeptNewTask()
  const name = kept?.name ?? ''
  /** The id of the selected template, or null. It stays selected for the next task, because users often add several of a kind. */
  const [template, setTemplate] = useState(kept?.template ?? null)
  const write = (name: string, from = template) => keepNewTask({ name, template: from, column: status })
  const templates = useQuery(templatesQuery).data ?? []
  /** The names of a pasted list, until the user has said what it is to become. */
  const [pasted, setPasted] = useState<string[] | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const client = useQueryClient()
  const openTask = useOpenTask()
  const tellIfHidden = useTellIfHidden((id) => void openTask(id))
  const add = useMutation({
    mutationKey: adding,
    mutationFn: ({ name, key }: { name: string; key: string; open: boolean }) =>
      createTask({ name, status, template, key }),
    onSuccess: (task, { open }) => {
      forgetNewTask()
      if (!open) return void tellIfHidden(task)
      closeAdding()
      void openTask(task.id)
    },
    onError: (error) => {
      // The row is in another column now, and has no place for what happened in this one.
      if (keptNewTask()?.column !== status) tellError(error, `Not added to ${label}`)
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['feed'] }),
  })
  const isPending = useIsMutating({ mutationKey: adding }) > 0
  /** Whether the row was open when the page was loaded again. It then leaves the focus to what the user has opened the page for. */
  const [isBack] = useState(() => !wasAdding())
  useEffect(() => {
    openAdding(status)
    moveNewTask(status)
  }, [status])
  /** What had the focus before: the button that opened the row, or a card. */
  const [opener] = useState(() => document.activeElement)
  const close = () => {
    forgetNewTask()
    closeAdding()
  }
  const leave = () => {
    close()
    if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) opener.focus()
    else focusColumn(status)
  }
  const endPasting = () => {
    input.current?.focus()
    setPasted(null)
  }
  const submit = (open: boolean) => {
    const text = oneLine(name)
    if (isPending || pasted !== null) return
    if (text === '' || kept === null) leave()
    else add.mutate({ name: text, key: kept.key, open })
  }
  const choose = (id: string) => {
    const chosen = templates.find((each) => each.id === id)
    setTemplate(chosen?.id ?? null)
    const isNamed = name.trim() !== '' && !templates.some((each) => each.name === name)
    write(isNamed ? name : (chosen?.name ?? ''), chosen?.id ?? null)
  }
  return (
    <form
      className="quick-add"
      onSubmit={(event) => {
        event.preventDefault()
        submit(false)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isCommand(event)) leave()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (name.trim() === '' && pasted === null && !currentTarget.contains(relatedTarget)) close()
      }}
    >
      <TextInput
        ref={input}
        autoFocus={!isBack}
        placeholder="Name, then Enter; Shift Enter opens it"
        aria-label={`Name of a new task in ${label}`}
        value={name}
        error={add.isError ? (fieldError(add.error, 'name') ?? wordsOf(add.error)) : null}
        // Read-only rather than disabled: a disabled input would lose the focus, and the user could not go on typing.
        readOnly={isPending || pasted !== null}
        onPaste={(event) => {
          const names = pastedNames(event.clipboardData.getData('text/plain'))
          if (names === null || isPending) return
          event.preventDefault()
          setPasted(names)
        }}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !event.shiftKey || !isCommand(event)) return
          event.preventDefault()
          submit(true)
        }}
      />
      {pasted === null ? null : (
        <PastedList
          names={pasted}
          create={(name, key) => createTask({ name, status, template, key })}
          asOne={() => {
            write([name, ...pasted].join(' ').trim())
            endPasting()
          }}
          leave={endPasting}
        />
      )}
      <TemplateChoice
        {...{ templates, template, choose }}
        disabled={isPending}
        leave={() => {
          input.current?.focus()
          input.current?.select()
        }}
      />
    </form>
  )
}

type ChoiceProps = {
  templates: readonly TaskTemplateHead[]
  /** The id of the selected template, or null. */
  template: string | null
  disabled: boolean
  choose: (id: string) => void
  /** Moves the focus to the field of the name. */
  leave: () => void
}

function TemplateChoice({ templates, template, disabled, choose, leave }: ChoiceProps) {
  /** True once there were templates: the list then stays, because its removal would take the focus away from a user in it. */
  const [isShown, setIsShown] = useState(false)
  if (templates.length > 0 && !isShown) setIsShown(true)
  /**
   * Whether the template was selected with a pointer; then the name field gets the focus. If arrow keys are used, the list of
   * templates keeps the focus, because each press selects a template, and the user may have to press several times.
   */
  const isPointed = useRef(false)
  if (!isShown) return null
  /** The selected template, if somebody has deleted it meanwhile: it stays an option, so that the list shows what is selected. */
  const gone = templates.some(({ id }) => id === template) ? null : template
  return (
    <NativeSelect
      mt={4}
      size="xs"
      aria-label="Template of the new task"
      value={template ?? ''}
      disabled={disabled}
      data={[
        { value: '', label: 'Without a template' },
        ...templates.map((each) => ({ value: each.id, label: `From “${each.name}”` })),
        ...(gone === null ? [] : [{ value: gone, label: 'From a deleted template' }]),
      ]}
      onPointerDown={() => {
        isPointed.current = true
      }}
      onKeyDown={() => {
        isPointed.current = false
      }}
      onChange={({ currentTarget: { value } }) => {
        flushSync(() => choose(value))
        if (isPointed.current) leave()
      }}
    />
  )
}
