// In charge of limiting how many large bulk changes a process works on at the same time. Of the largest tasks, each such change may
// need a connection and much of the thread for a minute.
import { taskLimits } from '@atelier/contract/task-limits.ts'
import type { TaskPatch } from '@atelier/contract/tasks.ts'
import type { Db } from '../../platform/db.ts'
import { isUuid } from '../../platform/ids.ts'
import { createTurns, type EndTurn, type Turns } from '../../platform/turns.ts'
import { storedBytesOf } from './large-tasks.ts'

/** A bulk change counts as large if what the database stores for its tasks, before or after it, has about this many bytes. */
const largeBytes = 1024 * 1024

/** About how many bytes the database stores for a planned name, of which most is like those of the name before it. */
const bytesOfName = 20

/** A turn ends after two minutes even if the caller has not read everything: slow callers must not keep others from changing. */
export const turnsOfChanges = (): Turns =>
  createTurns({
    ...{ most: 4, mostWaiting: 24, waitMs: 30_000, turnMs: 120_000 },
    what: 'large bulk changes are being worked on',
  })

/** Waits for the turn of a bulk change; returns the function that ends the turn. A change that is not large does not wait. */
export async function turnOfChange(
  turns: Turns,
  db: Db,
  { ids, patch }: { ids: readonly string[]; patch: TaskPatch },
): Promise<EndTurn> {
  const written = ids.length * bytesWritten(patch)
  if (written >= largeBytes) return turns()
  const stored = await storedBytesOf(db, ids.filter(isUuid))
  return written + stored < largeBytes ? () => undefined : turns()
}

/** About how many bytes a patch adds to each task at most. Pure. */
export function bytesWritten(patch: TaskPatch): number {
  const given = JSON.stringify(patch).length
  if (patch.count === undefined && patch.variants === undefined) return given
  const names = (patch.count ?? taskLimits.count) * Math.max(patch.variants?.length ?? taskLimits.variants, 1)
  return given + names * bytesOfName
}
