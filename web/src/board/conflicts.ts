// In charge of the list of deleted tasks that cannot be restored, because names of their creatives now belong to other creatives.
// Pure.
import type { CreativeConflict } from '@atelier/contract/creatives.ts'
import type { Card } from '../lib/types.ts'

/** The members of a task that are needed to delete the task and to restore it. */
export type Named = Pick<Card, 'id' | 'name'>
export type Conflicted = { task: Named; conflicts: readonly CreativeConflict[] }

/** Puts `next` in the place of the entry of the same task; if the list has no entry of this task, adds `next` at the end. */
export function withConflicts(waiting: readonly Conflicted[], next: Conflicted): Conflicted[] {
  const isThere = waiting.some(({ task }) => task.id === next.task.id)
  return isThere ? waiting.map((one) => (one.task.id === next.task.id ? next : one)) : [...waiting, next]
}

export const withoutTask = (waiting: readonly Conflicted[], id: string): Conflicted[] =>
  waiting.filter(({ task }) => task.id !== id)
