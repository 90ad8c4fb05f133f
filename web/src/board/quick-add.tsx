// In charge of adding tasks to a column by name alone, one after the other.

import type { TaskStatus } from '@atelier/contract/enums.ts'
import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { uniqueName } from '../lib/unique.ts'
import { closeAdding } from './selection.ts'
import { boardWrite } from './use-feeds.ts'

const blank = () => ({ name: '', key: uniqueName() })

export function QuickAdd({ status, label }: { status: TaskStatus; label: string }) {
  const [{ name, key }, setDraft] = useState(blank)
  const client = useQueryClient()
  const navigate = useNavigate()
  const add = useMutation({
    mutationKey: boardWrite,
    // One key for one name: should the answer get lost, asking again makes no second task.
    mutationFn: ({ name }: { name: string; open: boolean }) =>
      call('createTask', { body: { name, status }, headers: { 'idempotency-key': key } }),
    onSuccess: ({ id }, { open }) => {
      setDraft(blank())
      if (!open) return
      closeAdding()
      void navigate({ to: '/tasks/$task_id', params: { task_id: id }, search: (search) => search })
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['feed'] }),
  })
  const submit = (open: boolean) => {
    const text = name.trim()
    if (text === '') closeAdding()
    else add.mutate({ name: text, open })
  }
  return (
    <form
      className="quick-add"
      onSubmit={(event) => {
        event.preventDefault()
        submit(false)
      }}
    >
      <TextInput
        autoFocus
        placeholder="Name, then Enter; Shift Enter opens it"
        aria-label={`Name of a new task in ${label}`}
        value={name}
        error={add.isError ? (fieldError(add.error, 'name') ?? wordsOf(add.error)) : null}
        disabled={add.isPending}
        onChange={(event) => setDraft({ name: event.currentTarget.value, key: uniqueName() })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') closeAdding()
          if (event.key !== 'Enter' || !event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          submit(true)
        }}
        onBlur={() => {
          if (name.trim() === '') closeAdding()
        }}
      />
    </form>
  )
}
