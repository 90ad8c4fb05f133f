// In charge of the HTTP routes of comments on tasks: listing, adding, changing and deleting them.
import { routes } from '@atelier/contract/routes/routes.ts'
import { notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { isAuthor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { type Answer, json } from '../../platform/http/answer.ts'
import type { Bind, Context } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import type { Services } from '../../platform/services.ts'
import { insertActivity } from '../activity/store.ts'
import { hasTask, type LockedTask, lockTask } from '../tasks/store.ts'
import { noteMentions } from './mentions.ts'
import {
  countComments,
  deleteComment,
  listComments,
  lockComment,
  readComment,
  taskOfComment,
  updateComment,
} from './store.ts'
import { addComment } from './write.ts'

type Owner = Pick<Context<typeof routes.patchComment>, 'db' | 'actor'> & { id: string }

export function bindComments(bind: Bind, { cursors }: Services): void {
  bind(routes.listComments, async ({ db, params: { task_id }, query }) => {
    if (!(await hasTask(db, task_id))) throw notFound('task', task_id)
    return listPage(
      { cursors, scope: `comments/${task_id}`, query },
      (after, take) => listComments(db, task_id, after, take),
      { text: ({ text }) => text, position: ({ id, at }) => ({ key: at, id }) },
    )
  })

  bind(routes.createComment, async ({ db, params: { task_id }, body, actor }) => {
    const task = requireLive(await lockTask(db, task_id), task_id)
    const id = await addComment(db, { taskId: task.id, text: body.text, at: task.now }, actor)
    await noteMentions(db, { id, task_id: task.id, text: body.text }, actor)
    return answerComment(db, id)
  })

  bind(routes.patchComment, async ({ db, params: { comment_id }, body, actor }) => {
    const { task, comment } = await lockOwn({ db, actor, id: comment_id }, false)
    if (comment.text === body.text) return answerComment(db, comment.id)
    await updateComment(db, comment.id, body.text, task.now)
    await insertActivity(db, actor, [{ task_id: task.id, kind: 'comment_changed', subject_id: comment.id }])
    await noteMentions(db, { id: comment.id, task_id: task.id, text: body.text }, actor)
    return answerComment(db, comment.id)
  })

  bind(routes.deleteComment, async ({ db, params: { comment_id }, actor }) => {
    const { task, comment } = await lockOwn({ db, actor, id: comment_id }, true)
    await deleteComment(db, comment.id)
    await countComments(db, task.id)
    await insertActivity(db, actor, [{ task_id: task.id, kind: 'comment_deleted', subject_id: comment.id }])
    return { data: null }
  })
}

/**
 * Locks a comment's task and then the comment. Refuses callers who did not write the comment; if `adminToo` is set, admins are not
 * refused.
 */
async function lockOwn({ db, actor, id }: Owner, adminToo: boolean) {
  const gone = () => notFound('comment', id)
  const taskId = await taskOfComment(db, id)
  const task = taskId === undefined ? undefined : await lockTask(db, taskId)
  const comment = task && (await lockComment(db, id))
  if (!task?.in_retention || !comment) throw gone()
  if (!isAuthor(actor, comment) && !(adminToo && actor.scopes.has('admin'))) {
    throw new Refusal(
      'not_owner',
      `Only the author of a comment may change it${adminToo ? '; an admin may delete it' : ''}.`,
    )
  }
  return { task: requireLive(task, task.id), comment }
}

function requireLive(task: LockedTask | undefined, id: string): LockedTask {
  if (!task?.in_retention) throw notFound('task', id)
  if (task.deleted_at === null) return task
  throw new Refusal('task_deleted', `The task ${task.number} is deleted; restore it before you comment on it.`)
}

async function answerComment(db: Db, id: string): Promise<Answer> {
  return { data: json(await readComment(db, id)) }
}
