// In charge of who can be named as a reviewer of a task. It has its own file, because the other rules of reviews are loaded by pages
// that do not need the list of scopes. Pure.
import { type Role, roleScopes } from './enums.ts'

/**
 * Whether a person may accept or reject creatives; the route for decisions has the same condition. Only such people can be named as
 * reviewers, because a task would wait forever for the decision of anybody else.
 */
export const mayDecide = ({ active, role }: { active: boolean; role: Role }): boolean =>
  active && roleScopes[role].includes('tasks:write')
