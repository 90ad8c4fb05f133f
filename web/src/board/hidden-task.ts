// In charge of telling a user that the board's search or filter hides the task that they have just added.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import { call } from '../lib/api.ts'
import { tellOffer } from '../ui/toasts.tsx'
import { useBoard } from './board-context.ts'
import { say } from './said.ts'
import { type BoardSearch, type FeedParams, withRule } from './search-params.ts'

type Added = { id: string; name: string; number: number | null; status: TaskStatus }

/**
 * Returns a function that says so if the new task is hidden, and offers to open it. Otherwise it would seem that none was added. Of a
 * task that is shown, only screen readers are told.
 */
export function useTellIfHidden(open: (id: string) => void): (task: Added) => Promise<void> {
  const { search, paramsOf } = useBoard()
  const hider = hiderOf(search)
  return async ({ id, name, number, status }) => {
    // If the service does not answer, nobody knows whether the task is hidden, and nothing is said of that.
    const isShown = hider === null || number === null || (await isInFeed(paramsOf(status), number).catch(() => true))
    if (isShown) say(`“${name}” is added`)
    else tellOffer(`Added “${name}”. ${hider}`, { label: 'Open it', act: () => open(id) }, 'hidden task')
  }
}

/** Says what may hide tasks on a board with this search and filter; null if nothing does. */
function hiderOf({ q, filter }: BoardSearch): string | null {
  if (q && filter) return 'The search and the filter do not show it.'
  if (q) return 'The search does not show it.'
  return filter ? 'The filter does not show it.' : null
}

/** Whether the task with this number is in the feed with these parameters. The service is asked, because only it can apply them. */
async function isInFeed(params: FeedParams, number: number): Promise<boolean> {
  const query = withRule(params, { field: 'number', operator: '=', value: number })
  return (await call('tasksBoard', { query: { ...query, limit: 1 } })).tasks.length > 0
}
