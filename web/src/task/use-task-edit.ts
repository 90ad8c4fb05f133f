// In charge of saving changes of the open task: one after the other, each based on the revision that the page shows.
import type { Task } from '@atelier/contract/tasks.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { taskQuery } from '../lib/queries.ts'
import { useStable } from '../lib/use-stable.ts'
import { type Change, type PartChange, refreshAfterTask, writeTask } from './write-task.ts'

export type Save = (change: Change) => Promise<void>
/** Saves new values of some fields of a task, or changes only a part of a field's value, such as one row of a table. */
export type SaveTask = (change: Change | PartChange) => Promise<void>

export function useTaskEdit(id: string): SaveTask {
  const client = useQueryClient()
  const own = useRef<Change>({})
  const { mutateAsync } = useMutation({
    mutationFn: async ({ change, seen }: { change: Change | PartChange; seen: Task | undefined }) => {
      const basis = seen ? { seen, own: own.current } : null
      own.current = { ...own.current, ...(await writeTask(client, id, change, { basis })) }
    },
    // Changes with the same scope are saved one at a time, because each is based on the revision that the one before it created.
    scope: { id: `task-${id}` },
    onSettled: () => refreshAfterTask(client, id),
  })
  return useStable((change) => mutateAsync({ change, seen: client.getQueryData(taskQuery(id).queryKey)?.task }))
}
