// In charge of the SQL for comments on versions of creatives. Callers that write have locked the task, and then the creative.
import { type Insertable, type RawBuilder, sql } from 'kysely'
import { type Db, tellChanged } from '../../platform/db.ts'
import type { ReviewCommentsTable, Stamp } from '../../platform/tables.ts'
import { type CommentSql, textsOfComments } from './comment-page.ts'

/** Comments as those who work here see them. */
export const reviewComments = (where: RawBuilder<unknown>): CommentSql => ({
  where,
  text: sql.raw(`json_build_object('id', x.id, 'creative_id', x.creative_id,
    'version', x.version, 'thread_id', x.thread_id,
    'by', json_build_object('user_id', x.by_user, 'token_id', x.by_token, 'name', coalesce(u.name, k.name, g.name || ' (guest)')),
    'text', x.text, 'mark', x.mark, 'from_seconds', x.from_seconds, 'to_seconds', x.to_seconds,
    'visibility', x.visibility, 'mentions', to_json(x.mentions),
    'created_at', iso(x.created_at), 'updated_at', iso(x.updated_at),
    'resolved', case when x.resolved_at is not null
      then json_build_object('at', iso(x.resolved_at), 'version', x.resolved_in, 'by', x.resolved_by) end,
    'take', case when t.id is not null then json_build_object('id', t.id, 'state', t.state, 'run_id', t.run_id,
      'run_status', r.status, 'version', t.version, 'error', t.error,
      'by', json_build_object('user_id', t.by_user, 'token_id', t.by_token, 'name', coalesce(tu.name, tk.name)),
      'at', iso(t.at), 'ended_at', iso(t.ended_at)) end)::text`),
  joins: sql.raw(`left join users u on u.id = x.by_user left join tokens k on k.id = x.by_token
    left join guests g on g.id = x.by_guest
    left join lateral (select * from review_takes where comment_id = x.id order by at desc, id desc limit 1) t on true
    left join runs r on r.id = t.run_id
    left join users tu on tu.id = t.by_user left join tokens tk on tk.id = t.by_token`),
})

export async function readReviewComment(db: Db, id: string): Promise<string> {
  return (await textsOfComments(db, reviewComments(sql`true`), [id])).get(id) ?? 'null'
}

export async function findReviewComment(db: Db, id: string) {
  return db.selectFrom('review_comments').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function insertReviewComment(tx: Db, comment: Insertable<ReviewCommentsTable>): Promise<void> {
  await tx.insertInto('review_comments').values(comment).execute()
  tellChanged(tx, 'creative', comment.creative_id)
}

type Changed = Partial<
  Pick<Insertable<ReviewCommentsTable>, 'text' | 'mentions' | 'resolved_at' | 'resolved_in' | 'resolved_by'>
>

export async function updateReviewComment(
  tx: Db,
  { id, creative_id }: { id: string; creative_id: string },
  changed: Changed,
  now: Stamp,
): Promise<void> {
  await tx
    .updateTable('review_comments')
    .set({ ...changed, updated_at: now })
    .where('id', '=', id)
    .execute()
  tellChanged(tx, 'creative', creative_id)
}

/** Makes a comment and its replies visible to guests, or hides them all from guests. */
export async function showThread(
  tx: Db,
  { id, creative_id }: { id: string; creative_id: string },
  visibility: string,
): Promise<void> {
  await sql`update review_comments set visibility = ${visibility} where id = ${id} or thread_id = ${id}`.execute(tx)
  tellChanged(tx, 'creative', creative_id)
}

export async function deleteReviewComment(
  tx: Db,
  { id, creative_id }: { id: string; creative_id: string },
): Promise<void> {
  await tx.deleteFrom('review_comments').where('id', '=', id).execute()
  tellChanged(tx, 'creative', creative_id)
}
