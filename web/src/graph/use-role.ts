// In charge of what the role of the user allows in an editor, and of when that was last read.
import { useQuery } from '@tanstack/react-query'
import { callerQuery } from '../lib/queries.ts'
import type { Caller } from '../lib/types.ts'

/**
 * `allows`: whether the role allows to save; `readAt`: when that was read, in ms. A role may be taken and given back before it is read
 * again; so each reading counts, also one that finds what was there before.
 */
export type Role = { allows: boolean; readAt: number }

export function useRole(scope: Caller['scopes'][number]): Role {
  const { data, dataUpdatedAt } = useQuery(callerQuery)
  return { allows: data?.scopes.includes(scope) ?? false, readAt: dataUpdatedAt }
}
