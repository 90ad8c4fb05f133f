// In charge of who can be named as a reviewer of a task. It has its own file, because the other rules of reviews are loaded by pages
// that do not need the list of scopes. Pure.
import { type Role, roleScopes } from './enums.ts'

/**
 * Whether a person may decide about creatives, as the route for decisions asks. Nobody else is named as a reviewer: the decision
 * would not come, and the task would wait for it forever.
 */
export const mayDecide = ({ active, role }: { active: boolean; role: Role }): boolean =>
  active && roleScopes[role].includes('tasks:write')
