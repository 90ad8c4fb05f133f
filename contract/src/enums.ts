// In charge of the enumerations that the contract fixes. The ones that a deployment may replace are in vocabulary.ts.
import { runStatuses } from './graph/run-statuses.ts'
import { Enumeration } from './wire/schema.ts'

/** The board shows its columns in this order, and lists that are sorted by status use the same order. */
export const taskStatuses = [
  'backlog',
  'ready_for_production',
  'in_progress',
  'tech_check',
  'creative_check',
  'done',
  'archived',
] as const
export type TaskStatus = (typeof taskStatuses)[number]
export const TaskStatus = Enumeration(taskStatuses, {
  $id: 'TaskStatus',
  description: 'Workflow status; also the board column, front to back.',
})

export const statusGroups = ['todo', 'in_progress', 'complete'] as const
export type StatusGroup = (typeof statusGroups)[number]
export const StatusGroups = Enumeration(statusGroups, { $id: 'StatusGroup' })
/** The name that the board shows for each workflow group. */
export const groupLabels: Record<StatusGroup, string> = {
  todo: 'To do',
  in_progress: 'In progress',
  complete: 'Complete',
}

/** The label and workflow group of each status; the board has one column for each entry. */
export const statusInfo: Record<TaskStatus, { label: string; group: StatusGroup }> = {
  backlog: { label: 'Backlog', group: 'todo' },
  ready_for_production: { label: 'Ready for production', group: 'todo' },
  in_progress: { label: 'In progress', group: 'in_progress' },
  tech_check: { label: 'Tech check', group: 'in_progress' },
  creative_check: { label: 'Creative check', group: 'in_progress' },
  done: { label: 'Done', group: 'complete' },
  archived: { label: 'Archived', group: 'complete' },
}

export const testStatuses = ['not_tested', 'in_test', 'tested', 'paused'] as const
export type TestStatus = (typeof testStatuses)[number]
export const TestStatus = Enumeration(testStatuses, { $id: 'TestStatus' })

export const automationStates = ['pending', 'running', 'awaiting_input', 'succeeded', 'failed'] as const
export const AutomationState = Enumeration(automationStates, {
  $id: 'AutomationState',
  description:
    'pending and running count as alive until `automation_run_timeout` after `started_at`; awaiting_input never times out.',
})

export type RunStatus = (typeof runStatuses)[number]
export const RunStatus = Enumeration(runStatuses, {
  $id: 'RunStatus',
  description: 'Draft: not started, or prepared anew; awaiting_input: parked at a gate, without a worker.',
})

export const nodeStatuses = [
  'pending',
  'running',
  'awaiting_input',
  'succeeded',
  'cached',
  'failed',
  'skipped',
  'cancelled',
] as const
export type NodeStatus = (typeof nodeStatuses)[number]
export const NodeStatus = Enumeration(nodeStatuses, {
  $id: 'NodeStatus',
  description: 'Status of a node or of one of its items; `cached` was served from the node cache and cost nothing.',
})

export const lookupHandles = ['name', 'ad_id'] as const
export const LookupHandle = Enumeration(lookupHandles, { $id: 'LookupHandle' })

export const roles = ['reader', 'writer', 'admin'] as const
export type Role = (typeof roles)[number]
export const Role = Enumeration(roles, { $id: 'Role' })

export const scopes = [
  'read',
  'tasks:write',
  'runs:write',
  'graphs:write',
  'creatives:lookup',
  'launches:write',
  'admin',
] as const
export type Scope = (typeof scopes)[number]
export const Scope = Enumeration(scopes, { $id: 'Scope' })

/** The scopes that people with each role have; a token may have fewer scopes than its owner. */
export const roleScopes: Record<Role, readonly Scope[]> = {
  reader: ['read', 'creatives:lookup'],
  writer: ['read', 'tasks:write', 'runs:write', 'graphs:write', 'creatives:lookup', 'launches:write'],
  admin: scopes,
}

/** The scopes that the owner of an automation needs, so that the automation can act for the owner. */
export const automationScopes = ['runs:write', 'tasks:write'] as const satisfies readonly Scope[]
