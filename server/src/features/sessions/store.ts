// In charge of the SQL for sign-in links and sessions. Only hashes of their secrets are stored.
import { hash as digest, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { madeSinceEnd } from '../../platform/access.ts'
import type { Db } from '../../platform/db.ts'
import { idleDays, sessionLasts } from '../../platform/session-tokens.ts'
import type { Stamp } from '../../platform/tables.ts'
import { sessionSeconds } from './cookies.ts'

const linkMinutes = 15

const isCurrent = madeSinceEnd(sql`sessions.created_at`)
const newSecret = (): string => randomBytes(32).toString('base64url')
/** The form in which the secret of a link or session is stored. */
export const hashOf = (secret: string): Buffer => digest('sha256', secret, 'buffer')

/** Creates a code that signs this person in once. The code itself is only returned; what is stored is its hash. */
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

/** Returns the person who can sign in with this code; null if the code is not valid (any more). */
export async function findLink(db: Db, code: string): Promise<{ name: string | null; active: boolean } | null> {
  const found = await sql<{ name: string | null; active: boolean }>`
    select users.name, users.active from sign_in_links join users on users.id = sign_in_links.user_id
    where hash = ${hashOf(code)} and used_at is null and expires_at > now()
      and (not users.active or ${madeSinceEnd(sql`sign_in_links.created_at`)})`.execute(db)
  return found.rows[0] ?? null
}

/**
 * Uses a code up and returns its person; null if the code is unknown, used or expired, or older than the last end of the person's
 * access. If two requests use the same code at the same time, only one of them gets the person.
 */
export async function useLink(tx: Db, code: string): Promise<{ userId: string; active: boolean } | null> {
  const used = await sql<{ user_id: string }>`
    update sign_in_links set used_at = now_ms()
    where hash = ${hashOf(code)} and used_at is null and expires_at > now() returning user_id`.execute(tx)
  const [link] = used.rows
  if (!link) return null
  const active = await lockActive(tx, link.user_id)
  const holds = await sql`
    select from sign_in_links join users on users.id = sign_in_links.user_id
    where hash = ${hashOf(code)} and (not users.active or ${madeSinceEnd(sql`sign_in_links.created_at`)})`.execute(tx)
  return holds.rows.length > 0 ? { userId: link.user_id, active } : null
}

/**
 * Returns whether a person is active, and locks the person's row until this transaction ends. A change that ends the person's
 * access has to wait for this lock, and therefore also ends a session that this transaction creates.
 */
export async function lockActive(tx: Db, userId: string): Promise<boolean> {
  const found = await tx.selectFrom('users').select('active').where('id', '=', userId).forUpdate().executeTakeFirst()
  return found?.active ?? false
}

/**
 * Creates a session and returns the value of its cookie. The caller has locked the person's row and checked that the person is
 * active.
 */
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

/**
 * Returns the id of the session that a cookie identifies; null if there is none, if it has ended, or if its person is not active.
 */
export async function findSession(db: Db, secret: string): Promise<string | null> {
  const found = await sql<{ id: string }>`
    select sessions.id from sessions join users on users.id = sessions.user_id and users.active
    where sessions.hash = ${hashOf(secret)} and ${sessionLasts} and ${isCurrent}`.execute(db)
  return found.rows[0]?.id ?? null
}

/** Does the same as `findSession`, but also records that the session is in use, and returns the session's person too. */
export async function touchSession(db: Db, secret: string): Promise<{ id: string; user_id: string } | null> {
  const found = await sql<{ id: string; user_id: string }>`
    update sessions set last_used_at = now_ms() from users
    where sessions.hash = ${hashOf(secret)} and ${sessionLasts} and users.id = sessions.user_id and users.active
      and ${isCurrent}
    returning sessions.id, sessions.user_id`.execute(db)
  return found.rows[0] ?? null
}

/** Ends the sessions with these hashes, and returns whether there was one. */
export async function endSessions(tx: Db, hashes: readonly Buffer[]): Promise<boolean> {
  const ended = await sql`delete from sessions where hash = any(${[...hashes]}::bytea[]) returning id`.execute(tx)
  return ended.rows.length > 0
}

/** Called periodically: deletes expired links, and sessions that have expired or were not used for `idleDays`. */
export async function forgetOldSessions(db: Db): Promise<void> {
  await sql`delete from sign_in_links where expires_at < now()`.execute(db)
  await sql`delete from sessions
    where expires_at < now() or last_used_at < now() - make_interval(days => ${idleDays})`.execute(db)
}

/** Returns the id of the active admin who joined first, for whom sign-in links are made by default; null if no admin is active. */
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
