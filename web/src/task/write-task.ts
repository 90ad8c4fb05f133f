// In charge of writing a change of a task: based on the revision that is shown, and made all the same where nobody else
// touched what it changes.
import type { TaskPatch } from '@atelier/contract/tasks.ts'
import type { QueryClient } from '@tanstack/react-query'
import { callTagged } from '../lib/api.ts'
import { hasCode } from '../lib/errors.ts'
import { taskQuery } from '../lib/queries.ts'
import { ChangedMeanwhile, mayRepeat } from './conflict.ts'

/** Members by name; which values fit is the service's to say. */
export type Change = Readonly<Record<string, unknown>>

export async function writeTask(client: QueryClient, id: string, change: Change, repeated = false): Promise<void> {
  const query = taskQuery(id)
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
    if (!repeated && mayRepeat(shown.task, now.task, change)) return writeTask(client, id, change, true)
    throw new ChangedMeanwhile()
  }
}

/** What a change of a task may have changed elsewhere is read again. */
export function refreshAfterTask(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: ['feed'] })
  for (const key of ['activity', 'creatives', 'marks']) void client.invalidateQueries({ queryKey: [key, id] })
}

/** The change as the wire will carry it: a value for each name, which the service holds to the contract. */
const patchOf = (change: Change): TaskPatch => JSON.parse(JSON.stringify(change))
