// In charge of the SQL for reading, marking and deleting notices, and for writing notices about deadlines.
import { type NoticeFacts, type NoticeKind, noticeKinds } from '@atelier/contract/notice-kinds.ts'
import { mostCounted } from '@atelier/contract/notices.ts'
import { sql } from 'kysely'
import type { Position } from '../../platform/cursor.ts'
import type { Db } from '../../platform/db.ts'
import { announceNotices, tellReaders, wantedSql } from '../../platform/notices.ts'
import { isOvertaken } from '../money/store.ts'

export type NoticeRow = NoticeFacts & {
  id: string
  kind: NoticeKind
  at: string
  unread: boolean
  excerpt: string | null
}

/**
 * Whether a notice is unread. Also counted as read are notices whose cause is over: of the kind `gate_waits` if the run no longer
 * waits at any gate, and those of approvals to be decided or used if the run has overtaken them: their `place` is the approval's id.
 */
const unread = sql`(n.read_at is null and case
    when n.kind = 'gate_waits' then r.status = 'awaiting_input'
    when n.kind in ('approval_asked', 'start_approved')
      then not exists (select from approvals a where a.id = n.place::uuid and ${isOvertaken('a', 'r')})
    else true end)`

const tables = sql`
  from notices n
    left join runs r on r.id = n.run_id
    left join tasks t on t.id = coalesce(n.task_id, r.task_id)
    left join creatives c on c.id = n.creative_id
    left join graphs g on g.id = n.graph_id`

/**
 * Notices about deleted records are hidden until the records are restored. Also hidden are notices of an unknown kind, which a
 * later version of Atelier has written to the same database.
 */
const present = sql`n.kind = any(${noticeKinds}::text[])
    and (n.run_id is null or r.deleted_at is null) and (n.task_id is null or t.deleted_at is null)
    and (n.creative_id is null or c.deleted_at is null) and (n.graph_id is null or g.deleted_at is null)`
const shown = (userId: string) => sql`${tables} where n.user_id = ${userId} and ${present}`

const columns = sql`n.id, n.kind, n.at, ${unread} as unread,
      coalesce((select name from users where id = n.by_user), (select name from tokens where id = n.by_token),
        (select name || ' (guest)' from guests where id = n.by_guest)) as by,
      case when t.id is not null then json_build_object('id', t.id, 'number', t.number, 'name', t.name) end as task,
      case when r.id is not null then json_build_object('id', r.id,
        'graph', (select name from graphs where id = r.graph_id)) end as run,
      case when c.id is not null then json_build_object('id', c.id, 'name', c.name) end as creative,
      case when g.id is not null then json_build_object('id', g.id, 'name', g.name) end as graph,
      left(coalesce(case when n.kind = 'take_failed' then (select error from review_takes where id = n.place::uuid) end,
        (select text from comments where id = n.comment_id),
        (select text from review_comments where id = n.review_comment_id),
        n.words, case when n.kind = 'run_failed' then r.error end), 200) as excerpt`

/** Lists a person's notices, newest first. */
export async function listNotices(
  db: Db,
  { userId, onlyUnread }: { userId: string; onlyUnread: boolean },
  after: Position | null,
  take: number,
): Promise<NoticeRow[]> {
  const found = await sql<NoticeRow>`
    select ${columns}
    ${shown(userId)}
      ${onlyUnread ? sql`and ${unread}` : sql``}
      ${after ? sql`and (n.at, n.id) < (${after.key}::timestamptz, ${after.id}::uuid)` : sql``}
    order by n.at desc, n.id desc limit ${take}`.execute(db)
  return found.rows
}

/**
 * Returns the newest notices of a message, and (`count`) the number of all its notices. Notices that have been read, that are about
 * deleted records, or of a kind that the person no longer wants on this channel, are neither returned nor counted.
 */
export async function readMessageNotices(
  db: Db,
  messageId: string,
  most: number,
): Promise<{ notices: NoticeRow[]; count: number }> {
  const found = await sql<NoticeRow & { count: number }>`
    select ${columns}, (count(*) over ())::integer as count
    ${tables} join deliveries d on d.notice_id = n.id
      left join notice_settings s on s.user_id = n.user_id
    where d.message_id = ${messageId} and ${present} and ${unread} and ${sql.raw(wantedSql('d.channel'))}
    order by n.at desc, n.id desc limit ${most}`.execute(db)
  return { notices: found.rows, count: found.rows[0]?.count ?? 0 }
}

/** Counts a person's unread notices, but only up to the highest number that the badge can show. */
export async function countUnread(db: Db, userId: string): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*)::integer as count from (select ${shown(userId)} and ${unread} limit ${mostCounted}) as few`.execute(
    db,
  )
  return found.rows[0]?.count ?? 0
}

/** Marks these notices of a person as read or unread; all notices of the person if `ids` is null. */
export async function markRead(
  tx: Db,
  userId: string,
  { ids, read }: { ids: readonly string[] | null; read: boolean },
): Promise<void> {
  const changed = await sql<{ user_id: string }>`
    update notices set read_at = ${read ? sql`now_ms()` : null}
    where user_id = ${userId} and read_at is ${read ? sql`null` : sql`not null`}
      ${ids ? sql`and id = any(${[...ids]}::uuid[])` : sql``}
    returning user_id`.execute(tx)
  tellReaders(tx, changed.rows)
}

/**
 * `perTurn`: how many notices one call writes at most. `newsDays`: a deadline that passed more days ago than this gets no notice.
 */
const perTurn = 500
const newsDays = 7

/**
 * Writes notices about the deadlines of unfinished tasks that are less than a day away or have passed. A notice goes to the task's
 * assignee, or to its owner if there is no active assignee. A deadline gets one notice when it is near and one when it has passed,
 * however many processes call this function. Returns the number of notices written.
 */
export async function writeDeadlines(tx: Db): Promise<number> {
  const written = await sql<{ id: string; user_id: string }>`
    insert into notices (id, user_id, kind, place, task_id)
    select gen_random_uuid(), u.id, k.kind, k.place, t.id
    from tasks t
    join users u on u.active
      and u.id = coalesce((select id from users where id = t.assignee_id and active), t.task_owner_id)
    cross join lateral (select case when t.deadline_at <= now_ms() then 'deadline_passed' else 'deadline_near' end as kind,
      t.id::text || '/' || iso(t.deadline_at) as place) as k
    where t.deleted_at is null and t.number > 0 and t.status not in ('done', 'archived')
      and t.deadline_at > now() - make_interval(days => ${newsDays}) and t.deadline_at < now() + interval '1 day'
      and not exists (select from notices n where n.user_id = u.id and n.kind = k.kind and n.place = k.place)
    order by u.id, k.kind, k.place limit ${perTurn}
    on conflict (user_id, kind, place) do nothing
    returning id, user_id`.execute(tx)
  await announceNotices(tx, written.rows)
  return written.rows.length
}

const keptDays = 90

/** Deletes notices that are older than `keptDays`, a batch at a time. `now()` lets an index be used (docs/migrations.md). */
export async function forgetOldNotices(db: Db): Promise<void> {
  const batch = 1000
  let removed = batch
  while (removed === batch) {
    const gone = await sql<{ user_id: string }>`
      delete from notices where id in (
        select id from notices where at < now() - make_interval(days => ${keptDays}) order by at, id limit ${batch}
        for update skip locked)
      returning user_id`.execute(db)
    tellReaders(db, gone.rows)
    removed = gone.rows.length
  }
}
