// In charge of which task a run is shown with. Pure.
import type { RunCard } from './queries.ts'

/** The id of the task that a run was started for, or is pinned to; null if there is none. */
export const taskOf = ({ task_id, pinned_task_id }: Pick<RunCard, 'task_id' | 'pinned_task_id'>): string | null =>
  task_id ?? pinned_task_id
