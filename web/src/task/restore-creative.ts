// In charge of restoring a creative that was deleted on its own. If its name belongs to another creative by now, the dialog for a new
// name opens in the panel of the task.
import type { CreativeConflict } from '@atelier/contract/creatives.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useOpenTask } from '../board/use-open-task.ts'
import { call } from '../lib/api.ts'
import { hasCode, wordsOf } from '../lib/errors.ts'
import { createStore, useStore } from '../lib/store.ts'
import { forgetDeleted, tell, tellError } from '../ui/toasts.tsx'

/**
 * A creative that was not restored, because its name is taken. `problem`: why it was not restored under the name that was given in the
 * dialog; null if none has been given yet.
 */
export type TakenName = { taskId: string; conflict: CreativeConflict; problem: string | null }

const waiting = createStore<TakenName | null>(null)
export const useTakenName = (taskId: string): TakenName | null =>
  useStore(waiting, (one) => (one?.taskId === taskId ? one : null))
export const leaveTakenName = (): void => waiting.set(null)
/** Whether the dialog for a new name of this creative is open. */
export const isTakenName = (creativeId: string): boolean => waiting.get()?.conflict.creative_id === creativeId

/** Closes the dialog for a new name when the panel of its task is closed: it would be open again when the panel is. */
export function useTakenNameOf(taskId: string): void {
  useEffect(
    () => () => {
      if (waiting.get()?.taskId === taskId) leaveTakenName()
    },
    [taskId],
  )
}

/** Reads again all that a change of the creatives of a task may have changed. */
export function refreshCreatives(client: QueryClient, taskId: string): void {
  for (const key of ['creatives', 'marks', 'review', 'task', 'activity'])
    void client.invalidateQueries({ queryKey: [key, taskId] })
  void client.invalidateQueries({ queryKey: ['feed'] })
}

/** Returns a function that restores a creative of the task, and closes the dialog for a new name of the creative if it is open. */
export function useRestoreCreative(taskId: string): (creativeId: string) => Promise<void> {
  const client = useQueryClient()
  const openTask = useOpenTask()
  return useCallback(
    async (creativeId) => {
      const isRenamed = isTakenName(creativeId)
      try {
        const { name } = await call('restoreCreative', { params: { creative_id: creativeId } })
        if (isTakenName(creativeId)) leaveTakenName()
        forgetDeleted(creativeId)
        tell(`“${name}” is back`)
      } catch (error) {
        const [conflict] = hasCode(error, 'creative_name_taken') ? error.conflicts : []
        // A dialog that the user has closed meanwhile does not open again.
        if (!conflict || (isRenamed && !isTakenName(creativeId))) return tellError(error, 'Not restored')
        if (isRenamed) return waiting.set({ taskId, conflict, problem: wordsOf(error) })
        // The dialog belongs to the panel of the task, which may have been closed since the creative was deleted.
        await openTask(taskId, true)
        waiting.set({ taskId, conflict, problem: null })
      } finally {
        refreshCreatives(client, taskId)
      }
    },
    [client, openTask, taskId],
  )
}
