// In charge of saving a change of a task. It is based on the revision that is shown, and is repeated on the newest revision if
// nobody else changed the same members.
import type { Task, TaskPatch } from '@atelier/contract/tasks.ts'
import type { QueryClient } from '@tanstack/react-query'
import { callTagged } from '../lib/api.ts'
import { hasCode } from '../lib/errors.ts'
import { taskQuery } from '../lib/queries.ts'
import { ChangedMeanwhile, mayRepeat } from './conflict.ts'

/** Members by name; the service checks their values. */
export type Change = Readonly<Record<string, unknown>>

/**
 * A change of a part of a member, such as one cell of a table. It gets the present member when the write begins, and throws
 * `ChangedMeanwhile` if somebody else has changed the same part.
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

/** Reads again whatever a change of a task may have changed elsewhere. */
export function refreshAfterTask(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: ['feed'] })
  for (const key of ['activity', 'creatives', 'marks']) void client.invalidateQueries({ queryKey: [key, id] })
}

/** The change in the types of the wire: a value for each name, which the service checks against the contract. */
const patchOf = (change: Change): TaskPatch => JSON.parse(JSON.stringify(change))
