// In charge of saving a change of a task. It is based on the revision that is shown, and is repeated on the newest revision if
// nobody else changed the same members.
import type { Task, TaskPatch } from '@atelier/contract/tasks.ts'
import type { QueryClient } from '@tanstack/react-query'
import { callTagged } from '../lib/api.ts'
import { hasCode } from '../lib/errors.ts'
import { taskQuery } from '../lib/queries.ts'
import { ChangedMeanwhile, mayRepeat } from './conflict.ts'

/** Members by name; which values fit is the service's to say. */
export type Change = Readonly<Record<string, unknown>>

/**
 * A change of a part of a member, such as one cell of a table: made of the member as it is when its turn comes. It throws
 * `ChangedMeanwhile` where somebody else has changed that very part.
 */
export type PartChange = (task: Task) => Change

export async function writeTask(
  client: QueryClient,
  id: string,
  wanted: Change | PartChange,
  repeated = false,
): Promise<void> {
  const query = taskQuery(id)
  const shown = await client.ensureQueryData(query)
  const change = typeof wanted === 'function' ? wanted(shown.task) : wanted
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
    const mayTryAgain = typeof wanted === 'function' || mayRepeat(shown.task, now.task, change)
    if (!repeated && mayTryAgain) return writeTask(client, id, wanted, true)
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
