// In charge of finding out, from the activity of a task, which of its creatives can be restored. Pure.
import { leftOf } from '../lib/dates.ts'
import type { Activity } from '../lib/types.ts'

type Entry = Pick<Activity, 'id' | 'at' | 'kind' | 'subject_id'>

/**
 * Returns the ids of creatives by the ids of the entries that tell their deletion, if they are deleted still and can be restored.
 * `entries`: the newest entries of the activity, newest first. Creatives that were deleted together with their task are not among
 * them, since these come back with the task.
 */
export function restorableIn(entries: readonly Entry[], retentionMs: number, now: number): ReadonlyMap<string, string> {
  const seen = new Set<string>()
  const restorable = new Map<string, string>()
  for (const { id, at, kind, subject_id } of entries) {
    if (subject_id === null || (kind !== 'creative_deleted' && kind !== 'creative_restored')) continue
    // Only the newest of such entries says whether the creative is deleted.
    if (!seen.has(subject_id) && kind === 'creative_deleted' && leftOf(at, retentionMs, now) > 0)
      restorable.set(id, subject_id)
    seen.add(subject_id)
  }
  return restorable
}
