// In charge of the actions of the command palette: opening pages, creating, moving and assigning tasks, and starting runs.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMatchRoute, useNavigate, useRouter } from '@tanstack/react-router'
import { createTask } from '../board/new-task.ts'
import { readUndoStarts } from '../board/undo-starts.ts'
import { useOpenTask, useOpenTaskOf } from '../board/use-open-task.ts'
import { ChangedMeanwhile } from '../lib/conflict.ts'
import { taskQuery } from '../lib/queries.ts'
import { uniqueName } from '../lib/unique.ts'
import { startNewRun } from '../money/guarded.ts'
import { onlyVariant } from '../task/variant-list.ts'
import { type Change, type PartChange, refreshAfterTask, writeTask } from '../task/write-task.ts'
import { tell, tellError, tellUndoable } from '../ui/toasts.tsx'
import type { Acts } from './offers.ts'
import type { Subject } from './steps.ts'

export function useActs(): Omit<Acts, 'goOn'> {
  const client = useQueryClient()
  const navigate = useNavigate()
  const router = useRouter()
  const matches = useMatchRoute()
  const openTask = useOpenTask()
  const openTaskOf = useOpenTaskOf()
  const openRun = (id: string) => void navigate({ to: '/runs/$run_id', params: { run_id: id } })
  /**
   * Changes a member of a task; `value` null empties it. `said`: the message after the change; its Undo restores the old value,
   * unless somebody else has changed the member since.
   */
  const change = async (subject: Subject, member: 'status' | 'assignee_id', value: string | null, said: string) => {
    const write = async (wanted: Change | PartChange) => {
      try {
        await writeTask(client, subject.id, wanted)
      } finally {
        refreshAfterTask(client, subject.id)
      }
    }
    try {
      const before = (await client.fetchQuery({ ...taskQuery(subject.id), staleTime: 0 })).task[member]
      if (before === value) return tell(`“${subject.name}” is there already`)
      const starts = member === 'status' && before !== null ? readUndoStarts(client, before) : ''
      await write({ [member]: value })
      tellUndoable(
        said + (await starts),
        () =>
          void write(putBack(member, value, before)).then(
            () => tell(`“${subject.name}” is as it was`),
            (error: unknown) => tellError(error, 'Not undone'),
          ),
        'moved',
      )
    } catch (error) {
      tellError(error, 'Not changed')
    }
  }
  return {
    openTask: (id) => void openTask(id),
    openRun,
    openGraph: (graph_id) => void navigate({ to: '/graphs/$graph_id', params: { graph_id } }),
    lookUp: (q) => void navigate({ to: '/lookup', search: { q } }),
    openPage: (to) => {
      if (matches({ to }) === false) void navigate({ to })
    },
    openAddress: (path) => router.history.push(path),
    createTask: (name, template) =>
      void createTask({ name, status: 'backlog', template: template ?? null, key: uniqueName() }).then(
        ({ id }) => {
          void client.invalidateQueries({ queryKey: ['feed'] })
          void openTask(id)
        },
        (error: unknown) => tellError(error, 'No task was made'),
      ),
    openCreative: (id) => void openTaskOf(id, { hash: 'creatives' }).catch((error: unknown) => tellError(error)),
    move: (subject, status, label) => void change(subject, 'status', status, `Moved “${subject.name}” to ${label}`),
    assign: (subject, person, name) =>
      void change(
        subject,
        'assignee_id',
        person,
        person === null ? `“${subject.name}” is assigned to nobody` : `“${subject.name}” is assigned to ${name}`,
      ),
    run: (subject, graph_id) =>
      void startRun(client, subject.id, graph_id).then(
        (id) => {
          if (id === null) return
          void client.invalidateQueries({ queryKey: ['runs'] })
          openRun(id)
        },
        (error: unknown) => tellError(error, 'Not started'),
      ),
  }
}

/** Undoes a change of a member from `before` to `after`, unless somebody else has changed the member since. */
function putBack(member: 'status' | 'assignee_id', after: string | null, before: string | null): PartChange {
  return ({ [member]: now }) => {
    if (now !== after) throw new ChangedMeanwhile()
    return { [member]: before }
  }
}

async function startRun(client: QueryClient, task_id: string, graph_id: string) {
  const { task } = await client.fetchQuery(taskQuery(task_id))
  const variation_num = onlyVariant(task.variants)
  const variant = variation_num === null ? {} : { variation_num }
  return startNewRun(graph_id, { task_id, pinned_task_id: task_id, ...variant })
}
