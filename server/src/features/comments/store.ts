// In charge of the SQL for comments on tasks: listing, counting, adding, changing and deleting them.
import { type Insertable, sql } from 'kysely'
import type { Position } from '../../platform/cursor.ts'
import { type Db, tellChanged } from '../../platform/db.ts'
import type { CommentsTable, Stamp } from '../../platform/tables.ts'

/** A comment as JSON text. `at` and `id` are the comment's time and id; together they are its position in the list. */
export type Entry = { id: string; at: string; text: string }

/** SQL for the `Author` of the contract. Alias `x` is the comment; `u` and `k` are the user or the token that wrote it. */
const author = `json_build_object('user_id', x.by_user, 'token_id', x.by_token, 'name', coalesce(u.name, k.name))`
const joins = 'left join users u on u.id = x.by_user left join tokens k on k.id = x.by_token'

const commentText = sql<string>`${sql.raw(`json_build_object('id', x.id, 'task_id', x.task_id, 'by', ${author},
  'text', x.text, 'created_at', iso(x.created_at), 'updated_at', iso(x.updated_at))::text`)}`

/** Lists the comments of a task, oldest first. */
export async function listComments(db: Db, taskId: string, after: Position | null, take: number): Promise<Entry[]> {
  const found = await sql<Entry>`
    select x.id, x.created_at as at, ${commentText} as text
    from comments x ${sql.raw(joins)}
    where x.task_id = ${taskId}
      ${after ? sql`and (x.created_at, x.id) > (${after.key}::timestamptz, ${after.id}::uuid)` : sql``}
    order by x.created_at, x.id limit ${take}`.execute(db)
  return found.rows
}

export async function readComment(db: Db, id: string): Promise<string> {
  const found = await sql<{ text: string }>`
    select ${commentText} as text from comments x ${sql.raw(joins)} where x.id = ${id}`.execute(db)
  return found.rows[0]?.text ?? 'null'
}

export async function taskOfComment(db: Db, id: string): Promise<string | undefined> {
  return (await db.selectFrom('comments').select('task_id').where('id', '=', id).executeTakeFirst())?.task_id
}

export async function lockComment(tx: Db, id: string) {
  return tx.selectFrom('comments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/**
 * Counts the comments of a task, and stores the number in the task's row, which the caller has locked. All comments are counted
 * anew each time, because a number that is only raised or lowered by one would stay wrong after a single mistake.
 */
export async function countComments(tx: Db, taskId: string): Promise<void> {
  await sql`update tasks set comment_count = (select count(*) from comments where task_id = ${taskId})
    where id = ${taskId}`.execute(tx)
  tellChanged(tx, 'task', taskId)
}

export async function insertComment(tx: Db, comment: Insertable<CommentsTable>): Promise<void> {
  await tx.insertInto('comments').values(comment).execute()
  tellChanged(tx, 'comment', comment.id)
}

export async function updateComment(tx: Db, id: string, text: string, now: Stamp): Promise<void> {
  await tx.updateTable('comments').set({ text, updated_at: now }).where('id', '=', id).execute()
  tellChanged(tx, 'comment', id)
}

export async function deleteComment(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('comments').where('id', '=', id).execute()
  tellChanged(tx, 'comment', id)
}

/** How many users are read at most when a comment is searched for mentions. */
const mostPeople = 5000

export async function readActivePeople(db: Db): Promise<{ id: string; name: string | null }[]> {
  return db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('active', '=', true)
    .where('name', 'is not', null)
    .orderBy('id')
    .limit(mostPeople)
    .execute()
}
