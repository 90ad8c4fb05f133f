// In charge of saving changes to the task that is open: one after the other, each based on the revision that is shown.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Change, type PartChange, refreshAfterTask, writeTask } from './write-task.ts'

export type Save = (change: Change) => Promise<void>
/** Saves members of a task, or parts of them. */
export type SaveTask = (change: Change | PartChange) => Promise<void>

export function useTaskEdit(id: string): SaveTask {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationFn: (change: Change | PartChange) => writeTask(client, id, change),
    // In line: a second field is saved on the revision that the first one made.
    scope: { id: `task-${id}` },
    onSettled: () => refreshAfterTask(client, id),
  })
  return mutateAsync
}
