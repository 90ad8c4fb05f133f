// In charge of making a board card from the full record of a task, to show a change before the service has confirmed it. Pure.
import type { Task } from '@atelier/contract/tasks.ts'
import type { Card } from '../lib/types.ts'

export function cardOf(task: Task): Card {
  const { automation, rollups } = task
  return {
    ...task,
    automation: { state: automation.state, error: automation.error, started_at: automation.started_at },
    creation_points: rollups.creation_points,
    execution_points: rollups.execution_points,
    // The record does not have these two counts; they are correct again when the column is loaded the next time.
    creatives_total: 0,
    creatives_done: 0,
  }
}
