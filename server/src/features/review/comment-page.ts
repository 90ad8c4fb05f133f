// In charge of reading pages of comments on creatives, for those who work here and for guests, who see other members of fewer comments.
import { type RawBuilder, sql } from 'kysely'
import type { Cursors, Position } from '../../platform/cursor.ts'
import type { Db } from '../../platform/db.ts'
import type { Answer } from '../../platform/http/answer.ts'
import { bytesOfRead, type LargeRow, largeListPage } from '../../platform/http/large-list.ts'
import type { ListQuery } from '../../platform/http/list.ts'

/** SQL for comments (alias `x`): which of them, how the JSON text of one is made, and the joins that this needs. */
export type CommentSql = { where: RawBuilder<unknown>; text: RawBuilder<unknown>; joins: RawBuilder<unknown> }

/** Returns a page of comments, oldest first. */
export function commentPage(
  db: Db,
  asked: { cursors: Cursors; scope: string; query: ListQuery },
  comments: CommentSql,
): Promise<Answer> {
  return largeListPage(asked, (after, take) => listComments(db, comments, after, take), {
    position: ({ id, at }) => ({ key: at, id }),
    readTexts: (ids) => textsOfComments(db, comments, ids),
  })
}

/** Returns, by id, the texts of those of the comments that exist and for which `where` (still) holds. */
export async function textsOfComments(
  db: Db,
  { where, text, joins }: CommentSql,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = await sql<{ id: string; text: string }>`
    select x.id, ${text} as text from review_comments x ${joins}
    where x.id = any(${[...ids]}::uuid[]) and ${where}`.execute(db)
  return new Map(found.rows.map((row) => [row.id, row.text]))
}

type ListedComment = LargeRow & { at: string }

/** How long a mark of the most points is, about, in bytes. So the texts of a page may have 8 MB. */
const longestMark = 80_000

/**
 * A long mark is stored compressed, so it counts as one of the longest: to decompress all marks of a page only to know how long they
 * are held the thread of the embedded database for 40 ms.
 */
async function listComments(
  db: Db,
  { where, text, joins }: CommentSql,
  after: Position | null,
  take: number,
): Promise<ListedComment[]> {
  const found = await sql<ListedComment>`
    select x.id, x.created_at as at, page.bytes,
      case when sum(page.bytes) over (order by x.created_at, x.id rows unbounded preceding) <= ${bytesOfRead}::integer
        then ${text} end as text
    from (
      select x.id, 500 + octet_length(x.text) + case when pg_column_compression(x.mark) is null
        then coalesce(pg_column_size(x.mark), 0) else ${longestMark}::integer end as bytes
      from review_comments x
      where ${where} ${after ? sql`and (x.created_at, x.id) > (${after.key}::timestamptz, ${after.id}::uuid)` : sql``}
      order by x.created_at, x.id limit ${take}
    ) as page join review_comments x on x.id = page.id ${joins}
    order by x.created_at, x.id`.execute(db)
  return found.rows
}
