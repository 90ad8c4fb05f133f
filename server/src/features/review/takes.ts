// In charge of the takes of reviews: if a comment asks for a change of a picture that a run made, the run can make the picture
// again according to the comment. The new picture is proposed as a new version of the creative.

import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { type Mark, markWords } from '@atelier/contract/review-rules.ts'
import type { ReviewTakePlan } from '@atelier/contract/review-takes.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import type { RunPlan, RunStart } from '@atelier/contract/runs.ts'
import { Invalid, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { type LockedRun, lockRun, type RunRow, seeRun } from '../../engine/store/runs.ts'
import { type Actor, authorOf } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { json } from '../../platform/http/answer.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { whyOf } from '../../platform/why-refused.ts'
import { insertActivity } from '../activity/store.ts'
import { fileOfVersion, keepProvenance, readCreative, takeProvenance } from '../tasks/creatives/store.ts'
import { findReviewComment, readReviewComment } from './comment-store.ts'
import { resolve } from './comments.ts'
import { lockReviewed, type Reviewed } from './locking.ts'
import { findOpenTake, findTake, insertTake, isGraphDeleted, type Origin, readOrigin, setTake } from './take-store.ts'

export type File = Omit<Origin, 'run_id'>

/** The functions that takes need from other features. The wiring passes them in. */
export type TakeActs = {
  /**
   * Builds the request to make a file again, with `words` added to what the model is told. Returns null if neither the node that
   * made the file nor a suitable node before it accepts words. Refuses a file of which it is not known which of several it is.
   */
  ask(db: Db, run: RunRow, file: File, words: string): Promise<RunStart | null>
  plan(db: Db, run: RunRow, asked: RunStart): Promise<{ plan: RunPlan; message: string | null }>
  /** Starts a locked run; if it has been exported, a fork of it is started instead. Returns the id of the run that was started. */
  start(tx: Db, run: LockedRun, asked: RunStart, actor: Actor): Promise<string>
  /** Requests the approval that a start needs. Returns the approval as JSON text in the form of the API. */
  approve(tx: Db, run: LockedRun, asked: RunStart, commentId: string, actor: Actor): Promise<string>
  /** Gives a locked creative another file. */
  use(tx: Db, reviewed: Reviewed, file: string, actor: Actor): Promise<void>
}

type Commented = NonNullable<Awaited<ReturnType<typeof findReviewComment>>>

export function bindTakes(bind: Bind, acts: TakeActs): void {
  bind(routes.planReviewTake, async ({ db, params: { comment_id } }) => {
    const comment = await findReviewComment(db, comment_id)
    if (!comment || !(await readCreative(db, comment.creative_id))) throw notFound('comment', comment_id)
    return { data: await planTake(db, acts, comment) }
  })

  bind(routes.startReviewTake, async ({ db, params: { comment_id }, body, actor }) => {
    const standing = await lockStanding(db, comment_id)
    if (!(await findOpenTake(db, comment_id))) await startTake(db, acts, standing, body ?? {}, actor)
    return { data: json(await readReviewComment(db, comment_id)) }
  })

  bind(routes.askTakeApproval, async ({ db, params: { comment_id }, body, actor }) => {
    const { run, asked } = await lockAsked(db, acts, await lockStanding(db, comment_id), body ?? {})
    return { data: json(await acts.approve(db, run, asked, comment_id, actor)) }
  })

  bind(routes.decideReviewTake, async ({ db, params: { take_id }, body: { verdict }, actor }) => {
    const gone = () => notFound('take', take_id)
    const found = await findTake(db, take_id)
    if (!found) throw gone()
    const reviewed = await lockReviewed(db, found.creative_id, gone)
    const [take, comment] = [await findTake(db, take_id), await findReviewComment(db, found.comment_id)]
    if (!take || !comment) throw gone()
    const state = verdict === 'use' ? 'used' : 'dismissed'
    if (take.state !== state) {
      if (take.state !== 'proposed' || take.version === null)
        throw new Refusal('take_not_proposed', `The take is ${stateWords[take.state]}: there is nothing to decide.`)
      if (verdict === 'use') await useVersion(db, acts, { reviewed, comment, version: take.version }, actor)
      await setTake(db, take, { state })
      const changes = { take: { from: 'proposed', to: state }, version: { from: null, to: take.version } }
      await insertActivity(db, actor, [
        { task_id: reviewed.task.id, kind: 'review_take_decided', subject_id: take.creative_id, changes },
      ])
    }
    return { data: json(await readReviewComment(db, comment.id)) }
  })
}

const stateWords = {
  under_way: 'under way',
  proposed: 'proposed',
  used: 'used already',
  dismissed: 'dismissed already',
  failed: 'one that has failed',
} as const

const impossible = (why: string): Refusal => new Refusal('take_impossible', why)

/**
 * Builds the request to make the commented picture again. Throws if that is not possible, for example if no run made the picture.
 */
async function askedOf(
  db: Db,
  acts: TakeActs,
  comment: Commented,
  origin: Origin | null,
  run: RunRow | undefined,
): Promise<{ origin: Origin; run: RunRow; asked: RunStart }> {
  const { version } = comment
  if (comment.thread_id !== null) throw impossible('An answer has no take of its own; ask at the comment it answers.')
  if (origin === null)
    throw impossible(
      `Version ${version} was uploaded: no run made it, so that none can make it anew. Put a changed file on the creative instead.`,
    )
  if (!run)
    throw impossible(
      `The run that made version ${version} is gone for good. Put a changed file on the creative instead.`,
    )
  const refusal = runRefuses.start(run)
  if (refusal)
    throw new Refusal(
      refusal,
      run.deleted_at === null
        ? `The run that made version ${version} is ${run.status}: wait until it rests.`
        : `The run that made version ${version} is deleted: undelete it first.`,
    )
  if (run.graph_id !== null && (await isGraphDeleted(db, run.graph_id)))
    throw new Refusal(
      'graph_deleted',
      `The graph of the run that made version ${version} is deleted: restore it first.`,
    )
  const asked = await acts.ask(db, run, origin, wordsOf(comment))
  if (!asked)
    throw impossible(
      `Nothing before version ${version} in its run takes words for this picture alone, so that the comment would change nothing.`,
    )
  return { origin, run, asked }
}

/** Returns the words to send to the model: the comment's text, and the place in the picture that the comment marks. */
const wordsOf = ({ text, mark }: Commented): string => (mark === null ? text : `${text} (${markWords(mark as Mark)})`)

async function planTake(db: Db, acts: TakeActs, comment: Commented): Promise<ReviewTakePlan> {
  const none = { run_id: null, node_id: null, item: null, credits: null, money: null, message: null }
  try {
    const origin = await readOrigin(db, comment.creative_id, comment.version)
    const behind = origin === null ? undefined : await seeRun(db, origin.run_id)
    const { run, asked } = await askedOf(db, acts, comment, origin, behind)
    const { plan, message } = await acts.plan(db, run, asked)
    const [rolled] = asked.regenerate ?? []
    const place = { run_id: run.id, node_id: rolled?.node_id ?? null, item: rolled?.item ?? null }
    return { why_not: null, ...place, credits: plan.credits, money: plan.money, message }
  } catch (error) {
    if (error instanceof Refusal || error instanceof Invalid) return { ...none, why_not: whyOf(error) }
    throw error
  }
}

type Standing = { comment: Commented; reviewed: Reviewed; origin: Origin | null; run: LockedRun | undefined }

/** Locks the records that a new take needs, in the order in which all code locks them: run, task, creative. */
async function lockStanding(tx: Db, commentId: string): Promise<Standing> {
  const gone = () => notFound('comment', commentId)
  const found = await findReviewComment(tx, commentId)
  if (!found) throw gone()
  const origin = await readOrigin(tx, found.creative_id, found.version)
  const run = origin === null ? undefined : await lockRun(tx, origin.run_id)
  const reviewed = await lockReviewed(tx, found.creative_id, gone)
  const comment = await findReviewComment(tx, commentId)
  if (!comment) throw gone()
  return { comment, reviewed, origin, run }
}

type Limit = { max_cost?: number | null }

/** Checks the locked run that made the commented picture, and builds the request for a take. Throws if a take is not possible. */
async function lockAsked(tx: Db, acts: TakeActs, { comment, origin, run }: Standing, { max_cost = null }: Limit) {
  const live = run?.in_retention ? run : undefined
  const ready = await askedOf(tx, acts, comment, origin, live)
  if (!live) throw new Error('A run that is gone was not refused.')
  return { ...ready, run: live, asked: { ...ready.asked, max_cost } }
}

async function startTake(tx: Db, acts: TakeActs, standing: Standing, limit: Limit, actor: Actor): Promise<void> {
  const { comment, reviewed } = standing
  const ready = await lockAsked(tx, acts, standing, limit)
  const { node_id, port, item } = ready.origin
  const runId = await acts.start(tx, ready.run, ready.asked, actor)
  await insertTake(tx, {
    id: uuidv7(),
    comment_id: comment.id,
    creative_id: comment.creative_id,
    ...{ run_id: runId, node_id, port, item },
    ...authorOf(actor),
    at: reviewed.task.now,
  })
  const changes = { run: { from: null, to: runId } }
  await insertActivity(tx, actor, [
    { task_id: reviewed.task.id, kind: 'review_take_started', subject_id: comment.creative_id, changes },
  ])
}

/** Makes a version the current one, and marks the comment as resolved in that version. */
async function useVersion(
  tx: Db,
  acts: TakeActs,
  { reviewed, comment, version }: { reviewed: Reviewed; comment: Commented; version: number },
  actor: Actor,
): Promise<void> {
  const { creative, task } = reviewed
  const file = await fileOfVersion(tx, creative.id, version)
  if (file === undefined) throw new Error(`The version ${version} of ${creative.id} is not there.`)
  await keepProvenance(tx, creative.id)
  await acts.use(tx, reviewed, file, actor)
  await takeProvenance(tx, creative.id, version, task.now)
  await resolve(tx, { task, comment }, true, actor)
}
