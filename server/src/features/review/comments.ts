// In charge of comments on versions of creatives: adding, changing, resolving and deleting them.
import type { ReviewCommentCreate } from '@atelier/contract/review.ts'
import { markProblem } from '@atelier/contract/review-rules.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { Invalid, notFound, Refusal, type ValidationError } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Actor, authorOf, isAuthor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { json } from '../../platform/http/answer.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { insertActivity } from '../activity/store.ts'
import { currentVersion, fileOfVersion, keepFirstVersion, readCreative } from '../tasks/creatives/store.ts'
import { existing, type LockedTask } from '../tasks/store.ts'
import { commentPage } from './comment-page.ts'
import {
  deleteReviewComment,
  findReviewComment,
  insertReviewComment,
  readReviewComment,
  reviewComments,
  showThread,
  updateReviewComment,
} from './comment-store.ts'
import { lockReviewed, type Reviewed } from './locking.ts'
import { noteMentions } from './notices.ts'
import { findOpenTake } from './take-store.ts'

export function bindReviewComments(bind: Bind, { cursors }: Services): void {
  bind(routes.listReviewComments, async ({ db, params: { creative_id }, query }) => {
    if (!(await readCreative(db, creative_id))) throw notFound('creative', creative_id)
    const asked = { cursors, scope: `review-comments/${creative_id}`, query }
    return commentPage(db, asked, reviewComments(sql`x.creative_id = ${creative_id}`))
  })

  bind(routes.createReviewComment, async ({ db, params: { creative_id }, body, actor }) => {
    const mentions = await checkMentions(db, body.mentions ?? [])
    const reviewed = await lockReviewed(db, creative_id)
    const id = await addReviewComment(db, reviewed, { ...body, mentions }, authorOf(actor))
    // Activity never ends, so it does not repeat the text: a comment that is deleted must be gone.
    await insertActivity(db, actor, [{ task_id: reviewed.task.id, kind: 'review_commented', subject_id: creative_id }])
    await noteMentions(db, { id, people: mentions, reviewed }, actor)
    return { data: json(await readReviewComment(db, id)) }
  })

  bind(routes.patchReviewComment, async ({ db, params: { comment_id }, body, actor }) => {
    const { text, visibility, resolved } = body
    const mentions = body.mentions && (await checkMentions(db, body.mentions))
    const { task, comment } = await lockComment(db, comment_id)
    if (text !== undefined || mentions !== undefined) refuseOthers(actor, comment, false)
    if (comment.thread_id !== null && (resolved !== undefined || visibility !== undefined))
      throw new Invalid([
        errorAt(['body'], valueError('an answer is as its thread; change the comment that began it'), body),
      ])
    const words = { ...(text === undefined ? {} : { text }), ...(mentions === undefined ? {} : { mentions }) }
    if (Object.keys(words).length > 0) await updateReviewComment(db, comment, words, task.now)
    if (mentions)
      await noteMentions(
        db,
        { id: comment_id, people: mentions, reviewed: { task, creative: { id: comment.creative_id } } },
        actor,
      )
    if (visibility !== undefined) await showThread(db, comment, visibility)
    if (resolved !== undefined) await resolve(db, { task, comment }, resolved, actor)
    return { data: json(await readReviewComment(db, comment_id)) }
  })

  bind(routes.deleteReviewComment, async ({ db, params: { comment_id }, actor }) => {
    const { task, comment } = await lockComment(db, comment_id)
    refuseOthers(actor, comment, true)
    // A delete would also delete the take: its picture would be made and paid for, but not proposed to anybody.
    if ((await findOpenTake(db, comment_id))?.state === 'under_way')
      throw new Refusal(
        'take_under_way',
        'A new take because of this comment is being made: wait until it is there, or cancel its run first.',
      )
    await deleteReviewComment(db, comment)
    await insertActivity(db, actor, [
      { task_id: task.id, kind: 'review_comment_deleted', subject_id: comment.creative_id },
    ])
    return { data: null }
  })
}

type Found = NonNullable<Awaited<ReturnType<typeof findReviewComment>>>

/** Marks a thread as resolved in the creative's current version, or reopens the thread. */
export async function resolve(
  tx: Db,
  { task, comment }: { task: LockedTask; comment: Found },
  resolved: boolean,
  actor: Actor,
): Promise<void> {
  if (resolved === (comment.resolved_at !== null)) return
  const open = { resolved_at: null, resolved_in: null, resolved_by: null }
  const end = {
    resolved_at: task.now,
    resolved_in: await currentVersion(tx, comment.creative_id),
    resolved_by: actor.userId,
  }
  await updateReviewComment(tx, comment, resolved ? end : open, task.now)
  const changes = { resolved: { from: !resolved, to: resolved } }
  await insertActivity(tx, actor, [
    { task_id: task.id, kind: 'review_resolved', subject_id: comment.creative_id, changes },
  ])
}

export type Author = ReturnType<typeof authorOf> & { by_guest?: string }

/** Adds a comment to a locked creative and returns the comment's id. Throws a 422 if the comment is invalid. */
export async function addReviewComment(
  tx: Db,
  { task, creative }: Reviewed,
  body: ReviewCommentCreate,
  author: Author,
): Promise<string> {
  const thread = body.thread_id ? await threadOf(tx, creative.id, body.thread_id, author) : null
  const version = thread?.version ?? body.version ?? (await currentVersion(tx, creative.id))
  const errors = [...markErrors(body), ...timeErrors(body)]
  if (version === null)
    errors.push(errorAt(['body'], valueError('the creative has no file that this could be about'), body))
  else if ((await fileOfVersion(tx, creative.id, version)) === undefined)
    errors.push(errorAt(['body', 'version'], valueError('the creative has no version with this number'), version))
  if (errors.length > 0 || version === null) throw new Invalid(errors)
  await keepFirstVersion(tx, creative.id)
  const id = uuidv7()
  await insertReviewComment(tx, {
    id,
    creative_id: creative.id,
    version,
    thread_id: thread?.id ?? null,
    text: body.text,
    mark: body.mark ? JSON.stringify(body.mark) : null,
    from_seconds: body.from_seconds ?? null,
    to_seconds: body.to_seconds ?? null,
    visibility: thread?.visibility ?? body.visibility ?? 'internal',
    mentions: [...(body.mentions ?? [])],
    ...author,
    created_at: task.now,
    updated_at: task.now,
  })
  return id
}

/**
 * Returns the comment that began the thread `threadId`. Throws if the creative has no such thread, or if a guest replies to a
 * thread that guests cannot see.
 */
async function threadOf(tx: Db, creativeId: string, threadId: string, { by_guest }: Author) {
  const thread = isUuid(threadId) ? await findReviewComment(tx, threadId) : undefined
  const isSeen = by_guest === undefined || thread?.visibility === 'guests'
  if (isSeen && thread?.creative_id === creativeId && thread.thread_id === null) return thread
  const why = 'there is no thread with this id on the creative'
  throw new Invalid([errorAt(['body', 'thread_id'], valueError(why), threadId)])
}

function markErrors({ mark }: ReviewCommentCreate): ValidationError[] {
  const problem = mark ? markProblem(mark) : null
  return problem === null ? [] : [errorAt(['body', 'mark'], valueError(problem), mark)]
}

function timeErrors({ from_seconds, to_seconds }: ReviewCommentCreate): ValidationError[] {
  const [from, to] = [from_seconds ?? null, to_seconds ?? null]
  if (to === null || (from !== null && from <= to)) return []
  const why = 'ends before it begins; `from_seconds` is needed, and not later'
  return [errorAt(['body', 'to_seconds'], valueError(why), to)]
}

/** Returns the ids of mentioned people in lower case and without duplicates. Throws a 422 if a person does not exist. */
async function checkMentions(db: Db, ids: readonly string[]): Promise<string[]> {
  return checkPeople(db, ids, 'mentions')
}

export async function checkPeople(db: Db, ids: readonly string[], member: string): Promise<string[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const found = await existing(db, { users: wanted.filter(isUuid), products: [], creatives: [] })
  const unknown = ids.flatMap((id, at) =>
    found.has(`users/${id.toLowerCase()}`)
      ? []
      : [errorAt(['body', member, at], valueError('there is no person with this id'), id)],
  )
  if (unknown.length > 0) throw new Invalid(unknown)
  return wanted
}

async function lockComment(tx: Db, id: string) {
  const gone = () => notFound('comment', id)
  const found = await findReviewComment(tx, id)
  if (!found) throw gone()
  const reviewed = await lockReviewed(tx, found.creative_id, gone)
  // The comment is read again under the lock, since it may have changed before the lock was taken.
  const comment = await findReviewComment(tx, id)
  if (!comment) throw gone()
  return { ...reviewed, comment }
}

function refuseOthers(actor: Actor, comment: Found, adminToo: boolean): void {
  // The columns of a guest's comment are those of a comment by nobody, as the operator is.
  if ((comment.by_guest === null && isAuthor(actor, comment)) || (adminToo && actor.scopes.has('admin'))) return
  const words = `Only the author of a comment may change it${adminToo ? '; an admin may delete it' : ''}.`
  throw new Refusal('not_owner', words)
}
