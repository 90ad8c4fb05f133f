// In charge of deleting and restoring tasks. A deletion is shown at once, and a message offers to undo it. If a task cannot be
// restored, because names of its creatives now belong to other creatives, the dialog for new names opens.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '../lib/api.ts'
import { hasCode, wordsOf } from '../lib/errors.ts'
import { schemaQuery } from '../lib/queries.ts'
import { createStore, useStore } from '../lib/store.ts'
import type { Card, TaskSchema } from '../lib/types.ts'
import { tell, tellError, tellUndoable } from '../ui/toasts.tsx'
import { type Conflicted, type Named, withConflicts, withoutTask } from './conflicts.ts'
import { forEachTask } from './many-tasks.ts'
import { forgetSelected } from './selection.ts'
import { useFeeds } from './use-feeds.ts'

const conflicted = createStore<readonly Conflicted[]>([])
export const useConflicted = (): Conflicted | undefined => useStore(conflicted, ([first]) => first)
export const leaveDeleted = (id: string): void => conflicted.set(withoutTask(conflicted.get(), id))

/** Returns a function that deletes tasks: they leave the board at once, and those that could not be deleted appear again. */
export function useDelete(): (cards: readonly Card[]) => Promise<void> {
  const feeds = useFeeds()
  const client = useQueryClient()
  const restore = useRestore()
  return useCallback(
    async (given) => {
      // Leaves out tasks that another user has deleted meanwhile; otherwise Undo would restore them too. `given` may be older than
      // that deletion, as at the end of a drag, so the cards on the board are looked at.
      const cards = given.filter((card) => (feeds.find(card.id) ?? card).deleted_at === null)
      if (cards.length === 0) return
      const undo = await feeds.move(cards, 'deleted', { deleted_at: new Date().toISOString() })
      forgetSelected(cards.map(({ id }) => id))
      const outcomes = await forEachTask(cards, 'Deleting', ({ id }) => call('deleteTask', { params: { task_id: id } }))
      const deleted = cards.filter((_, index) => outcomes[index]?.status === 'fulfilled')
      const reason = outcomes.find((outcome) => outcome.status === 'rejected')?.reason
      if (deleted.length < cards.length) {
        undo()
        tellError(reason, deleted.length === 0 ? 'Not deleted' : `${deleted.length} of ${cards.length} deleted`)
      }
      refresh(client, deleted)
      const [only] = deleted
      if (!only) return
      const what = deleted.length === 1 ? `“${only.name}”` : `${deleted.length} tasks`
      tellUndoable(`Deleted ${what}`, () => void restore(deleted))
    },
    [feeds, client, restore],
  )
}

/**
 * Returns a function that restores tasks, and then returns whether all of them are back. For tasks whose creatives need new names, it
 * opens the dialog that asks for them.
 */
export function useRestore(): (tasks: readonly Named[]) => Promise<boolean> {
  const client = useQueryClient()
  return useCallback(
    async (tasks) => {
      const [only] = tasks
      return only && tasks.length === 1 ? restoreOne(client, only) : restoreMany(client, tasks)
    },
    [client],
  )
}

async function restoreOne(client: QueryClient, task: Named): Promise<boolean> {
  try {
    const { status } = await call('restoreTask', { params: { task_id: task.id } })
    leaveDeleted(task.id)
    tell(`“${task.name}” is back in ${labelOf(client.getQueryData(schemaQuery.queryKey), status)}`)
    return true
  } catch (error) {
    if (!isConflict(error, task)) tellError(error, `“${task.name}” was not restored`)
    return false
  } finally {
    refresh(client, [task])
  }
}

/** Restores several tasks and shows one message for all; tasks whose creatives need new names are passed to the dialog. */
async function restoreMany(client: QueryClient, tasks: readonly Named[]): Promise<boolean> {
  const outcomes = await forEachTask(tasks, 'Restoring', ({ id }) => call('restoreTask', { params: { task_id: id } }))
  const back = tasks.filter((_, index) => outcomes[index]?.status === 'fulfilled')
  for (const { id } of back) leaveDeleted(id)
  const failures = outcomes.flatMap((outcome, index) => {
    const task = tasks[index]
    return outcome.status === 'rejected' && task && !isConflict(outcome.reason, task) ? [outcome.reason] : []
  })
  const words =
    back.length === tasks.length ? `${back.length} tasks are back` : `${back.length} of ${tasks.length} tasks are back`
  if (failures.length > 0) tellError(failures[0], words)
  else tell(words)
  refresh(client, tasks)
  return back.length === tasks.length
}

/** Whether a task was not restored because names of its creatives are taken; if so, also opens the dialog for new names. */
function isConflict(error: unknown, task: Named): boolean {
  if (!hasCode(error, 'creative_name_taken')) return false
  conflicted.set(withConflicts(conflicted.get(), { task, conflicts: error.conflicts }))
  return true
}

const labelOf = (schema: TaskSchema | undefined, status: string): string =>
  schema?.statuses.find(({ value }) => value === status)?.label ?? status

function refresh(client: QueryClient, tasks: readonly Named[]): void {
  void client.invalidateQueries({ queryKey: ['feed'] })
  for (const { id } of tasks) {
    for (const key of ['task', 'creatives', 'activity']) void client.invalidateQueries({ queryKey: [key, id] })
  }
}

/**
 * Gives each creative its new name and, if no name was refused, restores the task. Returns whether the task is back, and the messages
 * about refused names, each under the id of its creative.
 */
export async function renameAndRestore(
  client: QueryClient,
  task: Named,
  names: readonly { creativeId: string; name: string }[],
): Promise<{ isBack: boolean; problems: ReadonlyMap<string, string> }> {
  const problems = new Map<string, string>()
  for (const { creativeId, name } of names) {
    await call('patchCreative', { params: { creative_id: creativeId }, body: { name } }).catch((error: unknown) =>
      problems.set(creativeId, wordsOf(error)),
    )
  }
  return { isBack: problems.size === 0 && (await restoreOne(client, task)), problems }
}
