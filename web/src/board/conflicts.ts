// In charge of the list of restores that are blocked because names were taken; the dialog handles one task after the other. Pure.
import type { CreativeConflict } from '@atelier/contract/creatives.ts'
import type { Card } from '../lib/types.ts'

/** The members of a task that are needed to delete and restore it. */
export type Named = Pick<Card, 'id' | 'name'>
export type Conflicted = { task: Named; conflicts: readonly CreativeConflict[] }

/** Replaces the remaining conflicts of a task; a task that is not in the list yet is added at the end. */
export function withConflicts(waiting: readonly Conflicted[], next: Conflicted): Conflicted[] {
  const isThere = waiting.some(({ task }) => task.id === next.task.id)
  return isThere ? waiting.map((one) => (one.task.id === next.task.id ? next : one)) : [...waiting, next]
}

export const withoutTask = (waiting: readonly Conflicted[], id: string): Conflicted[] =>
  waiting.filter(({ task }) => task.id !== id)
