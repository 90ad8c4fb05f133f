// In charge of the SQL for tokens, except verifying them, which platform/auth.ts does.
import { sql } from 'kysely'
import type { Position } from '../../platform/cursor.ts'
import { type Db, tellChanged } from '../../platform/db.ts'

/** SQL that builds a token as JSON text. A token that ended together with its person's access is shown as revoked at that time. */
const tokenText = sql<string>`json_build_object('id', id, 'name', name, 'hint', hint, 'scopes', scopes, 'user_id', user_id,
  'expires_at', iso(expires_at), 'created_at', iso(created_at), 'revoked_at', iso(coalesce(revoked_at, (
    select u.ended_at from users u where u.id = tokens.user_id and tokens.created_at <= u.ended_at))),
  'last_used_at', iso(last_used_at))::text`

/** Lists tokens, newest first: those of one person or integration, or all of them if `whose` is null. */
export async function listTokens(
  db: Db,
  whose: { userId: string | null; tokenId: string | null } | null,
  after: Position | null,
  take: number,
): Promise<{ id: string; at: string; text: string }[]> {
  const own = whose === null ? sql`true` : whose.userId ? sql`user_id = ${whose.userId}` : sql`id = ${whose.tokenId}`
  const found = await sql<{ id: string; at: string; text: string }>`
    select id, created_at as at, ${tokenText} as text from tokens
    where ${own} ${after ? sql`and (created_at, id) < (${after.key}::timestamptz, ${after.id}::uuid)` : sql``}
    order by created_at desc, id desc limit ${take}`.execute(db)
  return found.rows
}

export async function readToken(db: Db, id: string): Promise<string | null> {
  const found = await sql<{ text: string }>`select ${tokenText} as text from tokens where id = ${id}`.execute(db)
  return found.rows[0]?.text ?? null
}

export async function lockToken(tx: Db, id: string) {
  return tx.selectFrom('tokens').select(['id', 'user_id']).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Revokes a token for good. If the token was revoked before, the earlier time is kept. */
export async function revokeToken(tx: Db, id: string): Promise<void> {
  await sql`update tokens set revoked_at = coalesce(revoked_at, now_ms()) where id = ${id}`.execute(tx)
  tellChanged(tx, 'token', id)
}

export async function userExists(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Whether a time is in the future according to the database's clock, which also dates all records. */
export async function isFuture(db: Db, at: string): Promise<boolean> {
  const found = await sql<{
    future: boolean
  }>`select ${new Date(at).toISOString()}::timestamptz > now() as future`.execute(db)
  return found.rows[0]?.future ?? false
}
