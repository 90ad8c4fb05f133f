// In charge of restoring a creative that was deleted on its own. If its name belongs to another creative by now, the dialog for a new
// name opens in the panel of the task.
import type { CreativeConflict } from '@atelier/contract/creatives.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { call } from '../lib/api.ts'
import { hasCode } from '../lib/errors.ts'
import { createStore, useStore } from '../lib/store.ts'
import { tell, tellError } from '../ui/toasts.tsx'

/** A creative that was not restored, because its name is taken. */
export type Nameless = { taskId: string; conflict: CreativeConflict }

const waiting = createStore<Nameless | null>(null)
export const useNameless = (taskId: string): Nameless | null =>
  useStore(waiting, (one) => (one?.taskId === taskId ? one : null))
export const leaveNameless = (): void => waiting.set(null)

/** Reads again all that a change of the creatives of a task may have changed. */
export function refreshCreatives(client: QueryClient, taskId: string): void {
  for (const key of ['creatives', 'marks', 'review', 'task', 'activity'])
    void client.invalidateQueries({ queryKey: [key, taskId] })
  void client.invalidateQueries({ queryKey: ['feed'] })
}

/** Returns a function that restores a creative of the task. */
export function useRestoreCreative(taskId: string): (creativeId: string) => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useCallback(
    async (creativeId) => {
      try {
        const { name } = await call('restoreCreative', { params: { creative_id: creativeId } })
        leaveNameless()
        tell(`“${name}” is back`)
      } catch (error) {
        const [conflict] = hasCode(error, 'creative_name_taken') ? error.conflicts : []
        if (!conflict) return tellError(error, 'Not restored')
        waiting.set({ taskId, conflict })
        // The dialog belongs to the panel of the task, which may have been closed since the creative was deleted.
        void navigate({ to: '/tasks/$task_id', params: { task_id: taskId }, search: (search) => search, hash: true })
      } finally {
        refreshCreatives(client, taskId)
      }
    },
    [client, navigate, taskId],
  )
}
