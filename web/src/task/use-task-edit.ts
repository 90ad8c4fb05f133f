// In charge of saving changes to a task: one after the other, each based on the revision that is shown.
import type { TaskPatch } from '@atelier/contract/tasks.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callTagged } from '../lib/api.ts'
import { hasCode } from '../lib/errors.ts'
import { taskQuery } from '../lib/queries.ts'
import { ChangedMeanwhile, mayRepeat } from './conflict.ts'

/** Members by name; which values fit is the service's to say. */
type Change = Readonly<Record<string, unknown>>
export type Save = (change: Change) => Promise<void>

export function useTaskEdit(id: string): Save {
  const client = useQueryClient()
  const query = taskQuery(id)
  const write = async (change: Change, repeated: boolean): Promise<void> => {
    const shown = await client.ensureQueryData(query)
    try {
      const { data, etag } = await callTagged('patchTask', {
        params: { task_id: id },
        body: patchOf(change),
        ...(shown.etag ? { headers: { 'if-match': shown.etag } } : {}),
      })
      client.setQueryData(query.queryKey, { ...shown, task: data, etag })
    } catch (error) {
      if (!hasCode(error, 'precondition_failed')) throw error
      const now = await client.fetchQuery({ ...query, staleTime: 0 })
      if (!repeated && mayRepeat(shown.task, now.task, change)) return write(change, true)
      throw new ChangedMeanwhile()
    }
  }
  const { mutateAsync } = useMutation({
    mutationFn: (change: Change) => write(change, false),
    // In line: a second field is saved on the revision that the first one made.
    scope: { id: `task-${id}` },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['feed'] })
      void client.invalidateQueries({ queryKey: ['activity', id] })
      void client.invalidateQueries({ queryKey: ['creatives', id] })
      void client.invalidateQueries({ queryKey: ['marks', id] })
    },
  })
  return mutateAsync
}

/** The change as the wire will carry it: a value for each name, which the service holds to the contract. */
const patchOf = (change: Change): TaskPatch => JSON.parse(JSON.stringify(change))
