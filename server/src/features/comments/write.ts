// In charge of writing a comment: saving it, counting the task's comments, and recording it in the task's activity.
import { v7 as uuidv7 } from 'uuid'
import { type Actor, authorOf } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import type { Stamp } from '../../platform/tables.ts'
import { insertActivity } from '../activity/store.ts'
import { countComments, insertComment } from './store.ts'

/** Adds a comment and returns its id. The caller has locked the task, and the task is not deleted. */
export async function addComment(
  tx: Db,
  { taskId, text, at }: { taskId: string; text: string; at: Stamp },
  actor: Actor,
): Promise<string> {
  const id = uuidv7()
  const comment = { id, task_id: taskId, text, created_at: at, updated_at: at, ...authorOf(actor) }
  await insertComment(tx, comment)
  await countComments(tx, taskId)
  await insertActivity(tx, actor, [{ task_id: taskId, kind: 'comment_added', subject_id: id }])
  return id
}
