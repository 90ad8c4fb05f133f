// In charge of making the board's card from a full record, for changes that are shown before the service confirms them. Pure.
import type { Task } from '@atelier/contract/tasks.ts'
import type { Card } from '../lib/types.ts'

export function cardOf(task: Task): Card {
  const { automation, rollups } = task
  return {
    ...task,
    automation: { state: automation.state, error: automation.error, started_at: automation.started_at },
    creation_points: rollups.creation_points,
    execution_points: rollups.execution_points,
    // The record does not have these counts; the next read of the column brings them.
    creatives_total: 0,
    creatives_done: 0,
  }
}
