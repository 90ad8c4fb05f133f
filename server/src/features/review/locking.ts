// In charge of finding the creative that a review is about, and of locking its task and then the creative for a write.
import { notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import type { Db } from '../../platform/db.ts'
import { type CreativeRow, lockCreative, readCreative, taskOf } from '../tasks/creatives/store.ts'
import { type LockedTask, lockTask } from '../tasks/store.ts'

export type Reviewed = { task: LockedTask; creative: CreativeRow }

/** Locks a live creative of a live task; `gone` is the error to throw if it does not exist. */
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
