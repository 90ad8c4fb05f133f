// In charge of saving a change of a task. The change is based on the revision that the page shows. If there is a newer revision,
// the change is sent again, based on the newer one, unless somebody else has changed the same members.
import type { Task, TaskPatch } from '@atelier/contract/tasks.ts'
import type { QueryClient } from '@tanstack/react-query'
import { callTagged } from '../lib/api.ts'
import { ChangedMeanwhile, ifMatch, mayRepeat, withOwn } from '../lib/conflict.ts'
import { hasCode } from '../lib/errors.ts'
import { withoutOddBreaks } from '../lib/odd-breaks.ts'
import { taskQuery } from '../lib/queries.ts'
import { showAnswer } from '../lib/show-answer.ts'

/** The changed members and their new values, by name; the service checks the values. */
export type Change = Readonly<Record<string, unknown>>

/**
 * A change of a part of a member, such as one cell of a table. The function receives the task as it is when the change is sent,
 * and throws `ChangedMeanwhile` if somebody else has changed the same part.
 */
export type PartChange = (task: Task) => Change

/** `seen`: the task as the user saw it when making the change; `own`: the values that the user has written before. */
type Basis = { seen: Task; own: Change }

/** Saves a change, and returns the new values of its members. Without a basis, the change is based on the task as it is shown now. */
export async function writeTask(
  client: QueryClient,
  id: string,
  wanted: Change | PartChange,
  { basis = null, repeated = false }: { basis?: Basis | null; repeated?: boolean } = {},
): Promise<Change> {
  const query = taskQuery(id)
  const shown = await client.ensureQueryData(query)
  const change = typeof wanted === 'function' ? wanted(shown.task) : wanted
  // A change may have waited for an earlier one to be saved, and somebody else may have changed the same member meanwhile.
  const isOvertaken = basis && !mayRepeat(withOwn(basis.seen, shown.task, basis.own), shown.task, change)
  if (isOvertaken && typeof wanted !== 'function') throw new ChangedMeanwhile()
  try {
    const sent = callTagged('patchTask', {
      params: { task_id: id },
      body: patchOf(change),
      headers: ifMatch(shown.etag),
    })
    const { data } = await showAnswer(client, query.queryKey, sent, ({ data, etag }) =>
      client.setQueryData(query.queryKey, { ...shown, task: data, etag }),
    )
    const stored: Change = data
    return Object.fromEntries(Object.keys(change).map((name) => [name, stored[name]]))
  } catch (error) {
    if (!hasCode(error, 'precondition_failed')) throw error
    const now = await client.fetchQuery({ ...query, staleTime: 0 })
    const mayTryAgain = typeof wanted === 'function' || mayRepeat(shown.task, now.task, change)
    if (!repeated && mayTryAgain) return writeTask(client, id, wanted, { repeated: true })
    throw new ChangedMeanwhile()
  }
}

/** Makes the app read again the other data that a change of a task may have changed. */
export function refreshAfterTask(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: ['feed'] })
  for (const key of ['activity', 'creatives', 'marks']) void client.invalidateQueries({ queryKey: [key, id] })
}

/** Gives a change the type of the request body without any check, because the service checks the values. */
const patchOf = ({ variants, ...others }: Change): TaskPatch => ({
  ...JSON.parse(JSON.stringify(others)),
  // The variants are replaced as a whole, together with those that nobody has changed.
  ...(variants === undefined ? {} : { variants: withoutOddBreaks(variants) }),
})
