// In charge of the statements on sign-in links and sessions. What is secret is kept as a hash.
import { hash as digest, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../platform/db.ts'
import { idleDays, sessionLasts } from '../../platform/session-tokens.ts'
import type { Stamp } from '../../platform/tables.ts'
import { sessionSeconds } from './cookies.ts'

export const linkMinutes = 15

const newSecret = (): string => randomBytes(32).toString('base64url')
const hashOf = (secret: string): Buffer => digest('sha256', secret, 'buffer')

/** A new code that signs this person in, once; only ever in the return value. */
export async function insertLink(db: Db, userId: string): Promise<{ code: string; expires_at: Stamp }> {
  const code = newSecret()
  const { expires_at } = await db
    .insertInto('sign_in_links')
    .values({
      hash: hashOf(code),
      user_id: userId,
      expires_at: sql<string>`now_ms() + make_interval(mins => ${linkMinutes})`,
      used_at: null,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { code, expires_at }
}

/** Uses a code up; the person it is for, or null where it is unknown, used or over. Of two at once one gets the person. */
export async function useLink(tx: Db, code: string): Promise<{ userId: string; active: boolean } | null> {
  const used = await sql<{ id: string; active: boolean }>`
    update sign_in_links set used_at = now_ms() from users
    where hash = ${hashOf(code)} and used_at is null and expires_at > now() and users.id = sign_in_links.user_id
    returning users.id, users.active`.execute(tx)
  const [row] = used.rows
  return row ? { userId: row.id, active: row.active } : null
}

/** Begins a session; answers the cookie's value. */
export async function beginSession(tx: Db, userId: string): Promise<string> {
  const secret = newSecret()
  await tx
    .insertInto('sessions')
    .values({
      id: uuidv7(),
      hash: hashOf(secret),
      user_id: userId,
      expires_at: sql<string>`now_ms() + make_interval(secs => ${sessionSeconds})`,
    })
    .execute()
  return secret
}

/** The session of a cookie, if it lasts and its person is active. */
export async function findSession(db: Db, secret: string): Promise<string | null> {
  const found = await sql<{ id: string }>`
    select sessions.id from sessions join users on users.id = sessions.user_id and users.active
    where sessions.hash = ${hashOf(secret)} and ${sessionLasts}`.execute(db)
  return found.rows[0]?.id ?? null
}

/** The same, and notes that it is in use. */
export async function touchSession(db: Db, secret: string): Promise<string | null> {
  const found = await sql<{ id: string }>`
    update sessions set last_used_at = now_ms() from users
    where sessions.hash = ${hashOf(secret)} and ${sessionLasts} and users.id = sessions.user_id and users.active
    returning sessions.id`.execute(db)
  return found.rows[0]?.id ?? null
}

/** Whether there was one to end. */
export async function endSession(tx: Db, secret: string): Promise<boolean> {
  const ended = await sql`delete from sessions where hash = ${hashOf(secret)} returning id`.execute(tx)
  return ended.rows.length > 0
}

/** Periodic: forgets links and sessions that are over. */
export async function forgetOldSessions(db: Db): Promise<void> {
  await sql`delete from sign_in_links where expires_at < now()`.execute(db)
  await sql`delete from sessions
    where expires_at < now() or last_used_at < now() - make_interval(days => ${idleDays})`.execute(db)
}

/** The person links are for unless said otherwise: the admin who has been here longest. */
export async function findOwner(db: Db): Promise<string | null> {
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('active', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return owner?.id ?? null
}
