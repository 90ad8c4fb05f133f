// In charge of writing notices in the transaction of the change that they report. contract/src/notice-kinds.ts defines their kinds.
import { type NoticeKind, noticeRules } from '@atelier/contract/notice-kinds.ts'
import { CompiledQuery, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Db, kept, tellChanged } from './db.ts'
import type { NoticesTable } from './tables.ts'

type About = Pick<
  NoticesTable,
  'task_id' | 'run_id' | 'creative_id' | 'comment_id' | 'review_comment_id' | 'graph_id' | 'words'
>

/**
 * `by`: who caused the notice; a person does not receive a notice that the person has caused. `place`: a key for what the notice is
 * about; a person has at most one notice of each kind and place.
 */
export type NoticeGiven = Partial<About> & {
  kind: NoticeKind
  people: readonly (string | null)[]
  place: string
  by?: { by_user: string | null; by_token: string | null; by_guest?: string | null }
}

/** Writes notices for `people`, without inactive people and the one who caused the notice; null and ids of tokens are skipped. */
export async function writeNotices(tx: Db, given: readonly NoticeGiven[]): Promise<void> {
  const rows = given.flatMap(({ kind, people, place, by, ...about }) =>
    [...new Set(people)].flatMap((user_id) =>
      user_id === null || user_id === by?.by_user ? [] : [{ id: uuidv7(), user_id, kind, place, ...about, ...by }],
    ),
  )
  if (rows.length === 0) return
  const written = await tx.executeQuery<{ user_id: string }>(CompiledQuery.raw(writeSql, [JSON.stringify(rows)]))
  tellReaders(tx, written.rows)
}

const kindsThat = (fits: (rule: (typeof noticeRules)[NoticeKind]) => boolean): string[] =>
  Object.entries(noticeRules).flatMap(([kind, rule]) => (fits(rule) ? [kind] : []))
const returning = kindsThat(({ returns }) => returns)
const mailed = kindsThat(({ mailed }) => mailed)

const asArray = (kinds: string[]): string => `array[${kinds.map((kind) => `'${kind}'`).join(', ')}]::text[]`

/**
 * Returns SQL that says whether the receiver of the notice `n` wants its kind on the channel; `s` are the receiver's settings, or
 * a row of nulls.
 */
export const wantedSql = (channel: string): string => `case ${channel}
    when 'mail' then coalesce((s.mail_kinds ->> n.kind)::boolean, n.kind = any(${asArray(mailed)}))
    else coalesce((s.chat_kinds ->> n.kind)::boolean, false) end`

/**
 * Returns SQL that queues the notices in `n`, a table or a subquery, for mail and for chat if the receiver wants that and can be
 * reached there. A notice that still waits in the queue is not added again.
 */
const deliverSql = (n: string): string => `
  insert into deliveries (id, notice_id, user_id, channel)
  select gen_random_uuid(), n.id, n.user_id, c.channel
  from ${n} n
  join users u on u.id = n.user_id
  left join notice_settings s on s.user_id = n.user_id
  cross join (values ('mail'), ('chat')) as c (channel)
  where ${wantedSql('c.channel')} and case c.channel
      -- No mail is sent to the people of the demo, whose addresses are at example.com.
      when 'mail' then u.email not like '%@example.com'
      else exists (select from chat_addresses a where a.user_id = n.user_id or a.user_id is null)
    end
  order by n.id, c.channel
  on conflict (notice_id, channel) where message_id is null do nothing`

/** The rows are written in a fixed order, so that two transactions for the same people and places cannot deadlock. */
const writeSql = `${kept('write_notices')}
  with written as (
    insert into notices (id, user_id, kind, place, task_id, run_id, creative_id, comment_id, review_comment_id,
      graph_id, words, by_user, by_token, by_guest)
    select n.id, n.user_id, n.kind, n.place, n.task_id, n.run_id, n.creative_id, n.comment_id, n.review_comment_id,
      n.graph_id, n.words, n.by_user, n.by_token, n.by_guest
    from json_to_recordset($1::json) as n(id uuid, user_id uuid, kind text, place text, task_id uuid,
      run_id uuid, creative_id uuid, comment_id uuid, review_comment_id uuid, graph_id uuid, words text, by_user uuid, by_token uuid,
      by_guest uuid)
    join users on users.id = n.user_id and users.active
    order by n.user_id, n.kind, n.place
    on conflict (user_id, kind, place) do update
      set at = excluded.at, read_at = null, words = excluded.words, by_user = excluded.by_user,
        by_token = excluded.by_token, by_guest = excluded.by_guest
      where notices.kind = any(${asArray(returning)})
    returning id, user_id, kind
  ),
  sent as (${deliverSql('written')})
  select user_id from written`

/** Notifies watchers of notices that this transaction has written without `writeNotices`, and queues those notices for sending. */
export async function announceNotices(tx: Db, rows: readonly { id: string; user_id: string }[]): Promise<void> {
  tellReaders(tx, rows)
  if (rows.length === 0) return
  const these = '(select * from notices where id = any($1::uuid[]))'
  await tx.executeQuery(CompiledQuery.raw(deliverSql(these), [rows.map(({ id }) => id)]))
}

/** Marks a run's notices of a kind as read for all people, because their cause is over; only those with `place` if it is given. */
export async function settleNotices(tx: Db, kind: NoticeKind, runId: string, place?: string): Promise<void> {
  const there = place === undefined ? sql`` : sql`and place = ${place}`
  const settled = await sql<{ user_id: string }>`
    update notices set read_at = now_ms() where run_id = ${runId} and kind = ${kind} ${there} and read_at is null
    returning user_id`.execute(tx)
  tellReaders(tx, settled.rows)
}

/** Notifies watchers that notices have changed; the change contains the ids of the people who received the notices. */
export function tellReaders(tx: Db, rows: readonly { user_id: string }[]): void {
  tellChanged(tx, 'notice', [...new Set(rows.map(({ user_id }) => user_id))])
}

/** Notifies watchers that the notices about a task, a creative or a graph are hidden or shown again, since it was deleted or restored. */
export async function tellReadersAbout(
  tx: Db,
  about: 'task_id' | 'creative_id' | 'graph_id',
  id: string,
): Promise<void> {
  tellReaders(tx, await tx.selectFrom('notices').select('user_id').where(about, '=', id).execute())
}

/**
 * Notifies watchers that what they see of a run's notices and open approvals may have changed, although no row of them has: a notice is
 * hidden while its run is deleted, and whether it is unread depends on the run, as does whether an approval is overtaken.
 */
export async function tellReadersOfRun(tx: Db, runId: string): Promise<void> {
  const found = await sql<{ user_id: string }>`
    select user_id from notices where run_id = ${runId}
    union select asked_by from approvals where run_id = ${runId} and used_at is null`.execute(tx)
  tellReaders(tx, found.rows)
}
