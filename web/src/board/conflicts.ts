// In charge of the restores that names stand in the way of: one is asked about after the other. Pure.
import type { CreativeConflict } from '@atelier/contract/creatives.ts'
import type { Card } from '../lib/types.ts'

/** What is needed of a task to take it away and bring it back. */
export type Named = Pick<Card, 'id' | 'name'>
export type Conflicted = { task: Named; conflicts: readonly CreativeConflict[] }

/** What still stands in the way of a task, in its place; a task that is new here goes last. */
export function withConflicts(waiting: readonly Conflicted[], next: Conflicted): Conflicted[] {
  const isThere = waiting.some(({ task }) => task.id === next.task.id)
  return isThere ? waiting.map((one) => (one.task.id === next.task.id ? next : one)) : [...waiting, next]
}

export const withoutTask = (waiting: readonly Conflicted[], id: string): Conflicted[] =>
  waiting.filter(({ task }) => task.id !== id)
