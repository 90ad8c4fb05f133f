// In charge of writing notices, in the transaction of what causes them. The kinds: contract/src/notice-kinds.ts.
import { type NoticeKind, noticeRules } from '@atelier/contract/notice-kinds.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Db, tellChanged } from './db.ts'
import type { NoticesTable } from './tables.ts'

type About = Pick<NoticesTable, 'task_id' | 'run_id' | 'creative_id' | 'comment_id' | 'review_comment_id'>

/** `by`: who caused it, and gets none of it. `place`: one key for the cause. */
export type NoticeGiven = Partial<About> & {
  kind: NoticeKind
  people: readonly (string | null)[]
  place: string
  by?: { by_user: string | null; by_token: string | null; by_guest?: string | null }
}

/** People who are not active, and ids of integrations, are passed over. */
export async function writeNotices(tx: Db, given: readonly NoticeGiven[]): Promise<void> {
  const rows = given.flatMap(({ kind, people, place, by, ...about }) =>
    [...new Set(people)].flatMap((user_id) =>
      user_id === null || user_id === by?.by_user ? [] : [{ id: uuidv7(), user_id, kind, place, ...about, ...by }],
    ),
  )
  if (rows.length === 0) return
  // In one order, so that two transactions with the same people and places do not wait for each other.
  const written = await sql<{ user_id: string }>`
    insert into notices (id, user_id, kind, place, task_id, run_id, creative_id, comment_id, review_comment_id,
      by_user, by_token, by_guest)
    select n.id, n.user_id, n.kind, n.place, n.task_id, n.run_id, n.creative_id, n.comment_id, n.review_comment_id,
      n.by_user, n.by_token, n.by_guest
    from json_to_recordset(${JSON.stringify(rows)}::json) as n(id uuid, user_id uuid, kind text, place text, task_id uuid,
      run_id uuid, creative_id uuid, comment_id uuid, review_comment_id uuid, by_user uuid, by_token uuid,
      by_guest uuid)
    join users on users.id = n.user_id and users.active
    order by n.user_id, n.kind, n.place
    on conflict (user_id, kind, place) do update
      set at = excluded.at, read_at = null, by_user = excluded.by_user, by_token = excluded.by_token,
        by_guest = excluded.by_guest
      where notices.kind = any(${returning}::text[])
    returning user_id`.execute(tx)
  tellReaders(tx, written.rows)
}

const returning = Object.entries(noticeRules).flatMap(([kind, { returns }]) => (returns ? [kind] : []))

/** Notices of a run whose cause is over are read, for everybody. */
export async function settleNotices(tx: Db, kind: NoticeKind, runId: string): Promise<void> {
  const settled = await sql<{ user_id: string }>`
    update notices set read_at = now_ms() where run_id = ${runId} and kind = ${kind} and read_at is null
    returning user_id`.execute(tx)
  tellReaders(tx, settled.rows)
}

/** Of notices, watchers hear the id of the person whose they are. */
export function tellReaders(tx: Db, rows: readonly { user_id: string }[]): void {
  tellChanged(tx, 'notice', [...new Set(rows.map(({ user_id }) => user_id))])
}
