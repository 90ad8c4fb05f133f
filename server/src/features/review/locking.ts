// In charge of locking a task and one of its creatives, in this order, before a review of the creative is written.
import { notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import type { Db } from '../../platform/db.ts'
import { type CreativeRow, lockCreative, readCreative, taskOf } from '../tasks/creatives/store.ts'
import { type LockedTask, lockTask } from '../tasks/store.ts'

export type Reviewed = { task: LockedTask; creative: CreativeRow }

/**
 * Locks the task and the creative. Throws if one of them is deleted; `gone` creates the error for a creative that does not exist.
 */
export async function lockReviewed(
  tx: Db,
  creativeId: string,
  gone: () => Refusal = () => notFound('creative', creativeId),
): Promise<Reviewed> {
  const taskId = await taskOf(tx, creativeId)
  const task = taskId === undefined ? undefined : await lockTask(tx, taskId)
  const creative = task && (await lockCreative(tx, creativeId))
  if (!task?.in_retention || !creative || !(await readCreative(tx, creativeId))) throw gone()
  refuseDeleted(task)
  if (creative.deleted_at !== null)
    throw new Refusal('creative_deleted', 'The creative is deleted; restore it before you review it.')
  return { task, creative }
}

export function refuseDeleted(task: LockedTask): void {
  if (task.deleted_at === null) return
  throw new Refusal('task_deleted', `The task ${task.number} is deleted; restore it before you review it.`)
}
