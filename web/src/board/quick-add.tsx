// In charge of adding tasks to a column by name alone, one after the other.

import type { TaskStatus } from '@atelier/contract/enums.ts'
import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
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
  const add = useMutation({
    mutationKey: boardWrite,
    // One key for one name: should the answer get lost, asking again makes no second task.
    mutationFn: (name: string) => call('createTask', { body: { name, status }, headers: { 'idempotency-key': key } }),
    onSuccess: () => setDraft(blank()),
    onSettled: () => void client.invalidateQueries({ queryKey: ['feed'] }),
  })
  const submit = () => {
    const text = name.trim()
    if (text === '') closeAdding()
    else add.mutate(text)
  }
  return (
    <form
      className="quick-add"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextInput
        autoFocus
        placeholder="Name of the task, then Enter"
        aria-label={`Name of a new task in ${label}`}
        value={name}
        error={add.isError ? (fieldError(add.error, 'name') ?? wordsOf(add.error)) : null}
        disabled={add.isPending}
        onChange={(event) => setDraft({ name: event.currentTarget.value, key: uniqueName() })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') closeAdding()
        }}
        onBlur={() => {
          if (name.trim() === '') closeAdding()
        }}
      />
    </form>
  )
}
