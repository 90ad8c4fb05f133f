// In charge of how a change of status changes a task's timestamps, and its total times in progress and in checks. Pure.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import type { Stamp } from '../../platform/tables.ts'

/** The members of a task that change when its status changes. */
export type WorkflowState = {
  status: TaskStatus
  status_entered_at: Stamp | null
  started_at: Stamp | null
  submitted_at: Stamp | null
  completed_at: Stamp | null
  time_in_progress_seconds: number
  time_on_check_seconds: number
  return_count: number
}

const isCheck = (status: TaskStatus): boolean => status === 'tech_check' || status === 'creative_check'
const isBeforeChecks = (status: TaskStatus): boolean =>
  status === 'backlog' || status === 'ready_for_production' || status === 'in_progress'
const isOver = (status: TaskStatus): boolean => status === 'done' || status === 'archived'

/**
 * Returns the state of a task that enters the status `to` at `now`. A task may move from any status to any other; a move to its
 * present status changes nothing. A move from a check back to an earlier status counts as a return. A move to any status except
 * done and archived clears `completed_at`.
 */
export function enterStatus(task: WorkflowState, to: TaskStatus, now: Stamp): WorkflowState {
  if (to === task.status) return task
  const settled = settleTime(task, now)
  return {
    ...settled,
    status: to,
    status_entered_at: now,
    started_at: to === 'in_progress' ? (task.started_at ?? now) : task.started_at,
    submitted_at: isCheck(to) ? (task.submitted_at ?? now) : task.submitted_at,
    completed_at: to === 'done' ? now : isOver(to) ? task.completed_at : null,
    return_count: task.return_count + (isCheck(task.status) && isBeforeChecks(to) ? 1 : 0),
  }
}

/** Adds the time in the present status to the total time in progress or in checks. Used when a task is moved or deleted. */
export function settleTime(task: WorkflowState, now: Stamp): WorkflowState {
  const spent = task.status_entered_at ? Math.max(0, Date.parse(now) - Date.parse(task.status_entered_at)) / 1000 : 0
  return {
    ...task,
    time_in_progress_seconds: rounded(task.time_in_progress_seconds + (task.status === 'in_progress' ? spent : 0)),
    time_on_check_seconds: rounded(task.time_on_check_seconds + (isCheck(task.status) ? spent : 0)),
  }
}

/** Rounds to milliseconds, so that the errors of calculating with fractions do not add up. */
const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000
