// In charge of opening the dialog with the launches of a task, from the task's menu or from a message.
import { useEffect } from 'react'
import { createStore, useStore } from '../lib/store.ts'

/** The id of the task whose launches are shown; null if none are. */
const shown = createStore<string | null>(null)

export const showLaunches = (taskId: string): void => shown.set(taskId)
export const hideLaunches = (): void => shown.set(null)

/** Whether the launches of this task are shown. They are hidden when the calling component disappears. */
export function useLaunchesShown(taskId: string): boolean {
  useEffect(
    () => () => {
      if (shown.get() === taskId) hideLaunches()
    },
    [taskId],
  )
  return useStore(shown, (id) => id === taskId)
}
