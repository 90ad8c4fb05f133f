// In charge of the page of task templates: users can rename and delete templates there, and create tasks from them.

import type { CallResult } from '@atelier/contract/wire/calls.ts'
import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { createTask } from '../board/new-task.ts'
import { call } from '../lib/api.ts'
import { dateWords } from '../lib/dates.ts'
import { callerQuery, templatesQuery } from '../lib/queries.ts'
import type { TaskTemplateHead } from '../lib/types.ts'
import { uniqueName } from '../lib/unique.ts'
import { Icon } from '../ui/icons.tsx'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { tell, tellError, tellUndoable } from '../ui/toasts.tsx'
import { useReloadScroll } from '../ui/use-reload-scroll.ts'
import '../ui/people.css'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import { useWrite } from '../ui/use-write.ts'
import { createUnderFreeName } from './bring-back.ts'
import { NameInRow, readNow } from './name-in-row.tsx'

export function TemplatesPage() {
  useDocumentTitle('Templates · Atelier')
  useReloadScroll()
  const templates = useQuery({ ...templatesQuery, staleTime: 0 })
  const canWrite = useQuery(callerQuery).data?.scopes.includes('tasks:write') ?? false
  const rows = useRowsFocus<HTMLTableSectionElement>()
  if (templates.isPending) return <Loading what="the templates" />
  if (!templates.data) return <Failed error={templates.error} retry={() => void templates.refetch()} />
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>Templates</h1>
          <p>
            Briefs for tasks of the same kind. A new task in a column of the board can start from one; what was made
            from it before stays as it is.
          </p>
        </div>
      </div>
      {templates.data.length === 0 ? (
        <Empty icon="bookmark" title="No templates yet">
          Open a task whose brief you need again, and choose “Save as a template” in its menu.
        </Empty>
      ) : (
        <div className="panel">
          <table className="rows">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col" className="wide-cell">
                  By
                </th>
                <th scope="col" className="wide-cell">
                  Changed
                </th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody {...rows}>
              {templates.data.map((template) => (
                <Row key={template.id} template={template} canWrite={canWrite} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}

function Row({ template: { id, name, by, updated_at }, canWrite }: { template: TaskTemplateHead; canWrite: boolean }) {
  const params = { template_id: id }
  const client = useQueryClient()
  const navigate = useNavigate()
  const list = templatesQuery.queryKey
  const use = useWrite({
    write: () => createTask({ name, status: 'backlog', template: id, key: uniqueName() }),
    list: ['feed'],
    done: (task) => void navigate({ to: '/tasks/$task_id', params: { task_id: task.id } }),
  })
  const remove = useWrite({
    write: () => call('deleteTaskTemplate', { params }),
    list,
    done: (deleted) =>
      tellUndoable(
        `Deleted the template “${deleted.name}”`,
        () => void bringBack(deleted).finally(() => void client.invalidateQueries({ queryKey: list })),
      ),
  })
  return (
    <tr>
      <td className="name-cell">
        <NameInRow
          row={{ id, name }}
          canWrite={canWrite}
          list={list}
          read={() => client.fetchQuery({ ...templatesQuery, ...readNow })}
          write={(renamed) => call('patchTaskTemplate', { params, body: { name: renamed } })}
        />
      </td>
      <td className="wide-cell">{by.name ?? 'Somebody'}</td>
      <td className="wide-cell date">{dateWords(updated_at)}</td>
      <td className="row-actions">
        {canWrite ? (
          <>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<Icon name="plus" size={12} />}
              aria-label={`New task from ${name}`}
              loading={use.isPending}
              onClick={() => use.mutate(undefined)}
            >
              New task
            </Button>{' '}
            <Button
              size="compact-xs"
              color="red"
              variant="subtle"
              aria-label={`Delete the template ${name}`}
              loading={remove.isPending}
              onClick={() => remove.mutate(undefined)}
            >
              Delete
            </Button>
          </>
        ) : null}
      </td>
    </tr>
  )
}

/**
 * Creates a deleted template again. `deleted` is what the service answered to the deletion: its name may be newer than the name on
 * the page.
 */
async function bringBack({ name, brief }: CallResult<'deleteTaskTemplate'>): Promise<void> {
  try {
    const given = await createUnderFreeName(name, (name) => call('createTaskTemplate', { body: { name, brief } }))
    tell(
      given === name
        ? `The template “${name}” is back`
        : `The template is back as “${given}”, because another one is called “${name}” now`,
    )
  } catch (error) {
    tellError(error, 'Not undone')
  }
}
