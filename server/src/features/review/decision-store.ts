// In charge of the SQL for decisions and reviewers. Callers that write have locked the task; those that write decisions have locked
// the creative, too.
import { roles } from '@atelier/contract/enums.ts'
import type { DecisionKind } from '@atelier/contract/review-rules.ts'
import { mayDecide } from '@atelier/contract/reviewer-rules.ts'
import { type Insertable, sql } from 'kysely'
import type { Position } from '../../platform/cursor.ts'
import { type Db, tellChanged } from '../../platform/db.ts'
import type { ReviewDecisionsTable, Stamp, TaskReviewsTable } from '../../platform/tables.ts'
import { versionOfCreative } from '../tasks/creatives/store.ts'
import { isSameGuest } from './guest-store.ts'

const decision = sql.raw(`json_build_object('id', x.id, 'creative_id', x.creative_id, 'version', x.version,
  'file', x.file, 'decision', x.decision, 'note', x.note,
  'by', json_build_object('user_id', x.by_user, 'token_id', x.by_token, 'name', coalesce(u.name, k.name, g.name || ' (guest)')),
  'at', iso(x.at), 'void_at', iso(x.void_at))`)
const tables = sql.raw(`review_decisions x
  left join users u on u.id = x.by_user left join tokens k on k.id = x.by_token
  left join guests g on g.id = x.by_guest`)

/** Lists the decisions about a creative, newest first. */
export async function listDecisions(
  db: Db,
  creativeId: string,
  after: Position | null,
  take: number,
): Promise<{ id: string; at: string; text: string }[]> {
  const found = await sql<{ id: string; at: string; text: string }>`
    select x.id, x.at, ${decision}::text as text from ${tables}
    where x.creative_id = ${creativeId}
      ${after ? sql`and (x.at, x.id) < (${after.key}::timestamptz, ${after.id}::uuid)` : sql``}
    order by x.at desc, x.id desc limit ${take}`.execute(db)
  return found.rows
}

/**
 * Adds a decision, and marks an earlier decision of the same author about the creative as void. For a guest, this is also one of the
 * same name behind the same link: the guest may have come back in another browser, and nobody else can take the decision back.
 */
export async function insertDecision(
  tx: Db,
  { now, ...row }: Omit<Insertable<ReviewDecisionsTable>, 'at'> & { now: Stamp },
): Promise<void> {
  await sql`
    update review_decisions set void_at = ${now} where creative_id = ${row.creative_id} and void_at is null
      and ${
        row.by_guest
          ? sql`by_guest in (select o.id from guests g join guests o on ${isSameGuest('o', 'g')} where g.id = ${row.by_guest})`
          : sql`by_guest is null`
      }
      and by_user is not distinct from ${row.by_user}::uuid and by_token is not distinct from ${row.by_token}::uuid`.execute(
    tx,
  )
  await tx
    .insertInto('review_decisions')
    .values({ ...row, at: now })
    .execute()
  tellChanged(tx, 'creative', row.creative_id)
}

const decidingRoles = roles.filter((role) => mayDecide({ active: true, role }))

/**
 * Marks as void all decisions "changes wanted" about a creative whose authors cannot take them back any more: people who may not
 * decide, revoked or expired tokens, and guests whose link is revoked or expired. Otherwise these decisions would block the creative
 * until it gets another file. Called when a member of the team accepts the creative. It is not called when the author loses access,
 * because then nobody might look at what the author wanted changed.
 */
export async function voidRequestsOfGone(tx: Db, creativeId: string, now: Stamp): Promise<void> {
  await sql`
    update review_decisions x set void_at = ${now}
    where x.creative_id = ${creativeId} and x.void_at is null and x.decision = 'changes_wanted' and (
      exists (select 1 from users u where u.id = x.by_user and not (u.active and u.role = any(${decidingRoles}::text[])))
      or exists (select 1 from tokens k where k.id = x.by_token and (k.revoked_at is not null or k.expires_at <= now()))
      or exists (select 1 from guests g join guest_links l on l.id = g.link_id
        where g.id = x.by_guest and (l.revoked_at is not null or l.expires_at <= now())))`.execute(tx)
}

export type Reviewing = Pick<TaskReviewsTable, 'needs' | 'reviewers' | 'moves_to'>
const nobodyAsked: Reviewing = { needs: 'one', reviewers: [], moves_to: null }

export async function readReviewers(db: Db, taskId: string): Promise<Reviewing> {
  const found = await db
    .selectFrom('task_reviews')
    .select(['needs', 'reviewers', 'moves_to'])
    .where('task_id', '=', taskId)
    .executeTakeFirst()
  return found ?? nobodyAsked
}

export async function writeReviewers(tx: Db, taskId: string, given: Reviewing): Promise<void> {
  await tx
    .insertInto('task_reviews')
    .values({ task_id: taskId, ...given })
    .onConflict((conflict) => conflict.column('task_id').doUpdateSet(given))
    .execute()
  tellChanged(tx, 'task', taskId)
}

/**
 * A creative, with the decisions about its current version. `version` is the number of that version and `file` its file; both are
 * null if the creative has no file.
 */
export type ReviewRow = {
  id: string
  task_id: string
  name: string
  version: number | null
  file: string | null
  held: Held[]
  decisions: unknown[]
  open_comments: number
}

/** What the rule for review states (`reviewOf`) asks of a decision. */
type Held = { reviewer: string | null; decision: DecisionKind }

/**
 * All decisions that hold about the present file of the creative `c`, for the rule for review states. Equal ones are in the list only
 * once: guests all have the reviewer null, so that hundreds of guests add two elements at most, one for each kind of decision.
 */
const held = sql.raw(`coalesce((
  select jsonb_agg(distinct jsonb_build_object('reviewer', x.by_user, 'decision', x.decision))
  from review_decisions x where x.creative_id = c.id and x.file = c.file and x.void_at is null), '[]') as held`)

/** How many decisions about one creative are shown at most. */
const mostShown = 200

/** `decisions` are shown, and may lack some; the state follows from `held`, which has all. */
const rows = sql`
  select c.id, c.task_id, c.name, v.number as version, c.file, ${held},
    coalesce((select json_agg(d.row order by d.at, d.id) from (
      select ${decision} as row, x.at, x.id from ${tables}
      where x.creative_id = c.id and x.version = v.number and x.void_at is null
      order by coalesce(x.by_user = any(r.reviewers), false) desc, x.decision = 'changes_wanted' desc, x.at, x.id
      limit ${mostShown}
    ) as d), '[]') as decisions,
    (select count(*)::integer from review_comments o
      where o.creative_id = c.id and o.thread_id is null and o.resolved_at is null) as open_comments
  from creatives c join tasks t on t.id = c.task_id
  left join task_reviews r on r.task_id = t.id
  left join ${versionOfCreative}`

export async function readReview(db: Db, creativeId: string): Promise<ReviewRow | undefined> {
  return (await sql<ReviewRow>`${rows} where c.id = ${creativeId}`.execute(db)).rows[0]
}

/**
 * Lists the creatives of a task with the decisions about them, sorted by name, a page at a time. For a deleted task, these are the
 * creatives that were deleted together with it; otherwise, those that are not deleted.
 */
export async function listReviews(
  db: Db,
  taskId: string,
  after: { name: string; id: string } | null,
  take: number,
): Promise<ReviewRow[]> {
  const found = await sql<ReviewRow>`
    ${rows} where t.id = ${taskId} and c.delete_id is not distinct from t.delete_id
      ${after ? sql`and (c.name collate "C", c.id) > (${after.name}::text collate "C", ${after.id}::uuid)` : sql``}
    order by c.name collate "C", c.id limit ${take}`.execute(db)
  return found.rows
}

/** How many creatives of one task `readDecided` reads at most. */
export const mostCounted = 500

export type Decided = { id: string; task_id: string; name: string; held: Held[] }

/**
 * Returns the creatives of these tasks that have a file, each with the decisions about its present file: of each task the first ones
 * by name, after the creative `after` if that is given. Deleted creatives, and all creatives of deleted tasks, are left out.
 */
export async function readDecided(
  db: Db,
  taskIds: readonly string[],
  after: { name: string; id: string } | null = null,
): Promise<Decided[]> {
  const found = await sql<Decided>`
    select c.id, t.id as task_id, c.name, ${held}
    from tasks t cross join lateral (
      select id, name, file from creatives where task_id = t.id and deleted_at is null and file is not null
        ${after ? sql`and (name collate "C", id) > (${after.name}::text collate "C", ${after.id}::uuid)` : sql``}
      order by name collate "C", id limit ${mostCounted}
    ) as c
    where t.id = any(${[...taskIds]}::uuid[]) and t.deleted_at is null
    order by t.id, c.name collate "C", c.id`.execute(db)
  return found.rows
}

export async function readReviewersOf(db: Db, taskIds: readonly string[]): Promise<Map<string, Reviewing>> {
  const found = await db
    .selectFrom('task_reviews')
    .selectAll()
    .where('task_id', 'in', [...taskIds, nil])
    .execute()
  return new Map(found.map(({ task_id, ...given }) => [task_id, given]))
}

/** An id that no task has. It is added to the list of ids because SQL does not accept an empty list. */
const nil = '00000000-0000-0000-0000-000000000000'

export const reviewingOf = (asked: ReadonlyMap<string, Reviewing>, taskId: string): Reviewing =>
  asked.get(taskId) ?? nobodyAsked
