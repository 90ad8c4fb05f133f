// In charge of deleting tasks and getting them back: at once, with an undo beside the message, and with every creative
// whose name was taken meanwhile told to the dialog that resolves it.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '../lib/api.ts'
import { hasCode, wordsOf } from '../lib/errors.ts'
import { schemaQuery } from '../lib/queries.ts'
import { createStore, useStore } from '../lib/store.ts'
import type { Card, TaskSchema } from '../lib/types.ts'
import { tell, tellError, tellUndoable } from '../ui/toasts.tsx'
import { type Conflicted, type Named, withConflicts, withoutTask } from './conflicts.ts'
import { forgetSelected } from './selection.ts'
import { useFeeds } from './use-feeds.ts'

const conflicted = createStore<readonly Conflicted[]>([])
export const useConflicted = (): Conflicted | undefined => useStore(conflicted, ([first]) => first)
export const leaveDeleted = (id: string): void => conflicted.set(withoutTask(conflicted.get(), id))

/** Takes tasks off the board at once; those that could not be deleted come back, with the reason. */
export function useDelete(): (cards: readonly Card[]) => Promise<void> {
  const feeds = useFeeds()
  const client = useQueryClient()
  const restore = useRestore()
  return useCallback(
    async (cards) => {
      const undo = await feeds.move(cards, 'deleted', { deleted_at: new Date().toISOString() })
      forgetSelected(cards.map(({ id }) => id))
      const outcomes = await Promise.allSettled(cards.map(({ id }) => call('deleteTask', { params: { task_id: id } })))
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

/** Brings tasks back; where a name was taken meanwhile, the dialog opens. */
export function useRestore(): (tasks: readonly Named[]) => Promise<void> {
  const client = useQueryClient()
  return useCallback(
    async (tasks) => {
      let back = 0
      for (const task of tasks) if (await restoreOne(client, task, tasks.length === 1)) back += 1
      if (tasks.length > 1) tell(`${back} of ${tasks.length} tasks are back`)
    },
    [client],
  )
}

async function restoreOne(client: QueryClient, task: Named, alone: boolean): Promise<boolean> {
  try {
    const { status } = await call('restoreTask', { params: { task_id: task.id } })
    leaveDeleted(task.id)
    if (alone) tell(`“${task.name}” is back in ${labelOf(client.getQueryData(schemaQuery.queryKey), status)}`)
    return true
  } catch (error) {
    if (hasCode(error, 'creative_name_taken')) {
      conflicted.set(withConflicts(conflicted.get(), { task, conflicts: error.conflicts }))
    } else tellError(error, `“${task.name}” was not restored`)
    return false
  } finally {
    refresh(client, [task])
  }
}

const labelOf = (schema: TaskSchema | undefined, status: string): string =>
  schema?.statuses.find(({ value }) => value === status)?.label ?? status

function refresh(client: QueryClient, tasks: readonly Named[]): void {
  void client.invalidateQueries({ queryKey: ['feed'] })
  for (const { id } of tasks) {
    for (const key of ['task', 'creatives', 'activity']) void client.invalidateQueries({ queryKey: [key, id] })
  }
}

/** A new name for each creative that lost its own, then the restore; answers what is wrong, by creative. */
export async function renameAndRestore(
  client: QueryClient,
  task: Named,
  names: readonly { creativeId: string; name: string }[],
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>()
  for (const { creativeId, name } of names) {
    await call('patchCreative', { params: { creative_id: creativeId }, body: { name } }).catch((error: unknown) =>
      problems.set(creativeId, wordsOf(error)),
    )
  }
  if (problems.size === 0) await restoreOne(client, task, true)
  return problems
}
