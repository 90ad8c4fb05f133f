// In charge of saving the brief of a task as a new template, or as the new brief of an existing template.
import { longestTemplateName } from '@atelier/contract/task-limits.ts'
import type { Task } from '@atelier/contract/tasks.ts'
import { Anchor, Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { templatesQuery } from '../lib/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { tell } from '../ui/toasts.tsx'
import { useWrite } from '../ui/use-write.ts'
import { briefOf, templateName } from './copy-of-task.ts'

export function TemplateDialog({ task, close }: { task: Task; close: () => void }) {
  const [name, setName] = useState(() => templateName(task))
  const templates = useQuery({ ...templatesQuery, staleTime: 0 }).data ?? []
  const called = name.trim()
  const present = templates.find((template) => template.name === called)
  const keep = useWrite({
    write: () => {
      const brief = briefOf(task)
      return present
        ? call('patchTaskTemplate', { params: { template_id: present.id }, body: { brief } })
        : call('createTaskTemplate', { body: { name: called, brief } })
    },
    list: templatesQuery.queryKey,
    quiet: true,
    done: () => {
      tell(present ? `“${called}” has the brief of this task now` : `Kept as the template “${called}”`)
      close()
    },
  })
  return (
    <Dialog onClose={close} title="Save as a template">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (called !== '') keep.mutate(undefined)
        }}
      >
        <p className="dialog-text">
          It keeps the brief, the people and the variants, for new tasks of the same kind: not the dates, the creatives
          and what this task was made from.{' '}
          <Anchor underline="always" renderRoot={(props) => <Link to="/templates" {...props} />}>
            All templates
          </Anchor>
        </p>
        <TextInput
          data-autofocus
          label="Name"
          required
          maxLength={longestTemplateName}
          description={present ? 'There is a template of this name; its brief is replaced.' : undefined}
          error={keep.isError ? (fieldError(keep.error, 'name') ?? wordsOf(keep.error)) : null}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className="dialog-foot">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={called === ''} loading={keep.isPending}>
            {present ? 'Replace its brief' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
