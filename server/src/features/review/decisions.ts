// In charge of decisions about versions, of choosing reviewers, and of moving a task when all its creatives are accepted.

import { isDeepStrictEqual } from 'node:util'
import type { TaskStatus } from '@atelier/contract/enums.ts'
import type { CreativeReview, TaskReviewState } from '@atelier/contract/review.ts'
import { type DecisionKind, reviewOf } from '@atelier/contract/review-rules.ts'
import { mayDecide } from '@atelier/contract/reviewer-rules.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { Invalid, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { type Actor, authorOf } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { insertActivity } from '../activity/store.ts'
import { keepFirstVersion, readCreative } from '../tasks/creatives/store.ts'
import { hasTask, type LockedTask, lockTask } from '../tasks/store.ts'
import { type Author, checkPeople } from './comments.ts'
import {
  type Decided,
  insertDecision,
  listDecisions,
  listReviews,
  mostCounted,
  type Reviewing,
  type ReviewRow,
  readDecided,
  readReview,
  readReviewers,
  readReviewersOf,
  reviewingOf,
  voidRequestsOfGone,
  writeReviewers,
} from './decision-store.ts'
import { lockReviewed, type Reviewed, refuseDeleted } from './locking.ts'
import { noteDecision, noteReviewers } from './notices.ts'

/** Moves a locked task. Returns null if the task was moved, otherwise why it was not. The wiring passes this function in. */
export type MoveTask = (tx: Db, task: LockedTask, to: TaskStatus, actor: Actor) => Promise<Refusal | null>

export function bindDecisions(bind: Bind, { cursors }: Services, move: MoveTask): void {
  bind(routes.listReviewDecisions, async ({ db, params: { creative_id }, query }) => {
    if (!(await readCreative(db, creative_id))) throw notFound('creative', creative_id)
    return listPage(
      { cursors, scope: `decisions/${creative_id}`, query },
      (after, take) => listDecisions(db, creative_id, after, take),
      { text: ({ text }) => text, position: ({ id, at }) => ({ key: at, id }) },
    )
  })

  bind(routes.decideReview, async ({ db, params: { creative_id }, body, actor }) => {
    const reviewed = await lockReviewed(db, creative_id)
    await decide(db, reviewed, body, authorOf(actor))
    const changes = { decision: { from: null, to: body.decision } }
    await insertActivity(db, actor, [
      { task_id: reviewed.task.id, kind: 'review_decided', subject_id: creative_id, changes },
    ])
    const stays = await moveOn(db, reviewed.task, actor, move)
    const row = await readReview(db, creative_id)
    if (!row) throw notFound('creative', creative_id)
    const message = stays && `All is accepted, but the task stays where it is: ${stays.message}`
    return { data: reviewToWire(row, await readReviewers(db, reviewed.task.id)), message }
  })

  bind(routes.getTaskReviewers, async ({ db, params: { task_id } }) => {
    if (!(await hasTask(db, task_id))) throw notFound('task', task_id)
    return { data: { task_id, ...(await readReviewers(db, task_id)) } }
  })

  bind(routes.patchTaskReviewers, async ({ db, params: { task_id }, body, actor }) => {
    const reviewers = body.reviewers && (await checkPeople(db, body.reviewers, 'reviewers'))
    const task = await lockTask(db, task_id)
    if (!task?.in_retention) throw notFound('task', task_id)
    refuseDeleted(task)
    const before = await readReviewers(db, task.id)
    if (body.reviewers) await refuseWhoMayNot(db, body.reviewers, before.reviewers)
    const { needs = before.needs, moves_to = before.moves_to } = body
    const after: Reviewing = { needs, moves_to, reviewers: reviewers ?? before.reviewers }
    const changes = changesOf(before, after)
    if (Object.keys(changes).length > 0) {
      await writeReviewers(db, task.id, after)
      await insertActivity(db, actor, [{ task_id: task.id, kind: 'reviewers_changed', changes }])
      const added = after.reviewers.filter((id) => !before.reviewers.includes(id))
      await noteReviewers(db, task.id, added, actor)
    }
    return { data: { task_id: task.id, ...after } }
  })

  bind(routes.listTaskReview, async ({ db, params: { task_id }, query }) => {
    if (!(await hasTask(db, task_id))) throw notFound('task', task_id)
    const reviewing = await readReviewers(db, task_id)
    return listPage(
      { cursors, scope: `review/${task_id}`, query },
      (after, take) => listReviews(db, task_id, after && { name: after.key ?? '', id: after.id }, take),
      {
        text: (row) => JSON.stringify(reviewToWire(row, reviewing)),
        position: ({ id, name }) => ({ key: name, id }),
      },
    )
  })

  bind(routes.taskReviews, async ({ db, body }) => {
    const ids = [...new Set(body.task_ids.filter(isUuid).map((id) => id.toLowerCase()))]
    return { data: await stateOfTasks(db, ids) }
  })
}

/** Returns the settings that differ, in the form that the activity of a task shows. */
const changesOf = (before: Reviewing, after: Reviewing): Record<string, unknown> =>
  Object.fromEntries(
    (['reviewers', 'needs', 'moves_to'] as const)
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, { from: before[name], to: after[name] }]),
  )

type Deciding = { file: string; decision: DecisionKind; note?: string }

/** Stores a decision about a locked creative. Throws if the creative's file is no longer the one that was reviewed. */
export async function decide(
  tx: Db,
  { task, creative }: Reviewed,
  { file, decision, note = '' }: Deciding,
  author: Author,
): Promise<void> {
  if (creative.file !== file) {
    throw new Refusal(
      'version_not_current',
      `The creative “${creative.name}” has another file now than the one that was looked at. Look at that, then decide.`,
    )
  }
  await keepFirstVersion(tx, creative.id)
  const row = await readReview(tx, creative.id)
  if (row?.version == null) throw new Error(`The file of the creative ${creative.id} is none of its versions.`)
  const now = task.now
  if (decision === 'accepted' && author.by_guest === undefined) await voidRequestsOfGone(tx, creative.id, now)
  await insertDecision(tx, {
    id: uuidv7(),
    creative_id: creative.id,
    version: row.version,
    file,
    decision,
    note,
    now,
    ...author,
  })
  await noteDecision(tx, { task, creative }, { decision, note }, author)
}

/**
 * Moves a task out of the status tech check or creative check, if all its creatives with a file are accepted and its reviewer
 * settings name a status to move to. Returns the reason if this move is refused; null if the task was moved or needs no move. The
 * reason is also added to the activity of the task: a guest who accepts the last creative does not see it, but the team does.
 */
export async function moveOn(tx: Db, task: LockedTask, actor: Actor, move: MoveTask): Promise<Refusal | null> {
  const reviewing = await readReviewers(tx, task.id)
  const { moves_to } = reviewing
  if (moves_to === null || moves_to === task.status || !isCheck(task.status)) return null
  if (!(await isAllAccepted(tx, task.id, reviewing))) return null
  const refusal = await move(tx, task, moves_to, actor)
  if (refusal) {
    const changes = { reason: { from: null, to: refusal.message } }
    await insertActivity(tx, actor, [{ task_id: task.id, kind: 'task_stayed', changes }])
  }
  return refusal
}

const isCheck = (status: TaskStatus): boolean => status === 'tech_check' || status === 'creative_check'

/** Whether a task has creatives with a file, and all of them are accepted. Asks all of them, however many, a page at a time. */
async function isAllAccepted(db: Db, taskId: string, reviewing: Reviewing): Promise<boolean> {
  for (let after: Decided | null = null; ; ) {
    const page: Decided[] = await readDecided(db, [taskId], after)
    if (page.some(({ held }) => reviewOf(reviewing, held).state !== 'accepted')) return false
    if (page.length < mostCounted) return after !== null || page.length > 0
    after = page.at(-1) ?? null
  }
}

async function stateOfTasks(db: Db, ids: readonly string[]): Promise<TaskReviewState[]> {
  const asked = await readReviewersOf(db, ids)
  const byTask = Map.groupBy(await readDecided(db, ids), ({ task_id }) => task_id)
  return [...byTask].map(([task_id, creatives]) => {
    const each = creatives.map(({ held }) => reviewOf(reviewingOf(asked, task_id), held))
    return {
      task_id,
      creatives: each.length,
      accepted: each.filter(({ state }) => state === 'accepted').length,
      changes_wanted: each.filter(({ state }) => state === 'changes_wanted').length,
      awaited: [...new Set(each.flatMap(({ awaited }) => awaited))],
    }
  })
}

function reviewToWire(row: ReviewRow, reviewing: Reviewing): CreativeReview {
  const { id, name, version, file, held, open_comments } = row
  const { state, awaited } = reviewOf(reviewing, held)
  const decisions = row.decisions as CreativeReview['decisions'] // the SQL builds decisions with all their members
  return {
    ...{ creative_id: id, name, version, file, decisions, open_comments },
    ...(file === null ? { state: 'open' as const, awaited: [] } : { state, awaited }),
  }
}

/** Throws a 422 that lists each added reviewer who may not decide. Reviewers from before the change are not checked again. */
async function refuseWhoMayNot(db: Db, ids: readonly string[], before: readonly string[]): Promise<void> {
  const added = ids.map((id) => id.toLowerCase()).filter((id) => !before.includes(id))
  if (added.length === 0) return
  const people = await db.selectFrom('users').select(['id', 'active', 'role']).where('id', 'in', added).execute()
  const barred = new Set(people.filter((person) => !mayDecide(person)).map(({ id }) => id))
  const why = 'this person may not decide about creatives: an admin can give them access, or another role'
  const errors = ids.flatMap((id, at) =>
    barred.has(id.toLowerCase()) ? [errorAt(['body', 'reviewers', at], valueError(why), id)] : [],
  )
  if (errors.length > 0) throw new Invalid(errors)
}
