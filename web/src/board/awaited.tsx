// In charge of the mark on a card about the review of the task's creatives: reviewers want changes, or all creatives are accepted,
// or reviewers still have to decide.
import type { CallResult } from '@atelier/contract/wire/calls.ts'
import { call } from '../lib/api.ts'
import { createGathered } from '../lib/gathered.ts'
import { listenLive } from '../lib/live-connection.ts'
import { useBoard } from './board-context.ts'

type State = CallResult<'taskReviews'>[number] | null

const states = createGathered<State>({
  most: 100,
  ask: async (ids) => {
    const found = new Map(
      (await call('taskReviews', { body: { task_ids: [...ids] } })).map((one) => [one.task_id, one]),
    )
    return new Map(ids.map((id) => [id, found.get(id) ?? null]))
  },
  holds: () => true,
})

listenLive((told) => {
  if (told === 'missed') return states.forget(() => true)
  const changed = new Set(told.flatMap(({ kind, id }) => (kind === 'task' ? [id] : [])))
  states.forget((id) => changed.has(id))
})

/** Used only on cards in the columns Tech check and Creative check, because each use requests the review state of its task. */
export function Awaited({ taskId }: { taskId: string }) {
  const { people } = useBoard()
  const state = states.useOne(taskId)
  if (!state) return null
  const { creatives, accepted, changes_wanted, awaited } = state
  if (changes_wanted > 0) {
    return (
      <span className="mark" data-tone="warn">
        Changes wanted
      </span>
    )
  }
  if (accepted === creatives)
    return (
      <span className="mark" data-tone="ok">
        All accepted
      </span>
    )
  const names = awaited.map((id) => people.get(id)?.name ?? 'somebody')
  if (names.length === 0) return null
  return <span className="mark">Waits for {names.length > 2 ? `${names.length} reviewers` : names.join(' and ')}</span>
}
