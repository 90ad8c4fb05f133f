// In charge of notices about reviews: somebody was mentioned, a review or changes were requested, or a take has ended.
import type { DecisionKind } from '@atelier/contract/review-rules.ts'
import { type Actor, authorOf } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { type NoticeGiven, writeNotices } from '../../platform/notices.ts'
import type { LockedTask } from '../tasks/store.ts'
import type { Reviewed } from './locking.ts'
import type { TakeRow } from './take-store.ts'

type About = { task: Pick<LockedTask, 'id'>; creative: Pick<Reviewed['creative'], 'id'> }

/** Notifies the people whom a comment mentions, except its author and those whom an earlier version of the comment mentioned. */
export const noteMentions = (
  tx: Db,
  { id, people, reviewed: { task, creative } }: { id: string; people: readonly string[]; reviewed: About },
  actor: Actor,
): Promise<void> =>
  writeNotices(tx, [
    {
      ...{ kind: 'mentioned_in_review', people, place: id, by: authorOf(actor) },
      ...{ task_id: task.id, creative_id: creative.id, review_comment_id: id },
    },
  ])

export const noteReviewers = (tx: Db, taskId: string, people: readonly string[], actor: Actor): Promise<void> =>
  writeNotices(tx, [{ kind: 'review_asked', people, place: taskId, task_id: taskId, by: authorOf(actor) }])

/** If a decision requests changes, notifies the assignee and the owner of the task, with the reason if `note` states one. */
export async function noteDecision(
  tx: Db,
  { task, creative }: Reviewed,
  { decision, note }: { decision: DecisionKind; note: string },
  by: NonNullable<NoticeGiven['by']>,
): Promise<void> {
  if (decision !== 'changes_wanted') return
  const people = [task.assignee_id, task.task_owner_id]
  const about = { task_id: task.id, creative_id: creative.id, words: note.trim() || null }
  await writeNotices(tx, [{ kind: 'changes_wanted', people, place: creative.id, ...about, by }])
}

/**
 * Notifies the person who requested a take that the take has ended. The notice does not refer to the take's run: otherwise deleting
 * the run would hide the notice, and with it the reason why the take failed.
 */
export const noteTake = (
  tx: Db,
  { id, comment_id, creative_id, by_user }: TakeRow,
  { taskId, kind }: { taskId: string; kind: 'take_proposed' | 'take_failed' },
): Promise<void> =>
  writeNotices(tx, [
    { kind, people: [by_user], place: id, ...{ task_id: taskId, creative_id, review_comment_id: comment_id } },
  ])
