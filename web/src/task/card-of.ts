// In charge of the card a full record is on the board, for edits that run ahead of the service. Pure.
import type { Task } from '@atelier/contract/tasks.ts'
import type { Card } from '../lib/types.ts'

export function cardOf(task: Task): Card {
  const { automation, rollups } = task
  return {
    ...task,
    automation: { state: automation.state, error: automation.error, started_at: automation.started_at },
    creation_points: rollups.creation_points,
    execution_points: rollups.execution_points,
    // The record does not count them; the next read of the column does.
    creatives_total: 0,
    creatives_done: 0,
  }
}
