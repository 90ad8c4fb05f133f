// In charge of bearer tokens for signed-in browsers. A token is signed, expires soon, and is valid only as long as its session.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { roleScopes } from '@atelier/contract/enums.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import { parse as uuidBytes, stringify as uuidText } from 'uuid'
import { madeSinceEnd } from './access.ts'
import type { Actor } from './actor.ts'
import type { Clock } from './clock.ts'
import type { Db } from './db.ts'

export type SessionTokens = {
  /** Makes a token for a session; `expires_in` is in seconds. */
  issue(sessionId: string): { token: string; expires_in: number }
  /**
   * Returns the session of a valid token, and its `end` in ms since the epoch. Throws `invalid_token` if the token has expired.
   * Returns null for what this service has not signed: it may be a token that an operator has chosen, whatever it looks like.
   */
  read(token: string): { sessionId: string; end: number } | null
}

const prefix = 'ats_'
const lifetimeSeconds = 600
const idBytes = 16
const endBytes = 6
const payloadBytes = idBytes + endBytes
/** The prefix, then the payload and a signature of 32 bytes in base64url. */
const form = /^ats_[\w-]{72}$/
/** A session ends if no page has fetched a token for the session for this many days. */
export const idleDays = 7

/** Tokens are not stored: each process can check the signature, and the session's row shows whether the session is valid. */
export function createSessionTokens(secret: Buffer, clock: Clock): SessionTokens {
  const key = createSecretKey(secret)
  const sign = (payload: Buffer) => createHmac('sha256', key).update('session-token/v1/').update(payload).digest()
  return {
    issue(sessionId) {
      const payload = Buffer.alloc(payloadBytes)
      payload.set(uuidBytes(sessionId))
      payload.writeUIntBE(clock.now() + lifetimeSeconds * 1000, idBytes, endBytes)
      const token = prefix + Buffer.concat([payload, sign(payload)]).toString('base64url')
      return { token, expires_in: lifetimeSeconds }
    },
    read(token) {
      if (!form.test(token)) return null
      const bytes = Buffer.from(token.slice(prefix.length), 'base64url')
      const payload = bytes.subarray(0, payloadBytes)
      if (!timingSafeEqual(sign(payload), bytes.subarray(payloadBytes))) return null
      const end = payload.readUIntBE(idBytes, endBytes)
      if (end <= clock.now()) {
        throw new Refusal('invalid_token', 'The token of this page has expired. Fetch another: POST /session/token.')
      }
      return { sessionId: uuidText(payload, 0), end }
    },
  }
}

/** Returns the caller that a session stands for: a person, with all scopes of the person's role. */
export async function actorOfSession(db: Db, sessionId: string): Promise<Actor> {
  const person = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.name', 'users.role', 'users.active'])
    .where('sessions.id', '=', sessionId)
    .where(sessionLasts)
    .where(madeSinceEnd(sql`sessions.created_at`))
    .executeTakeFirst()
  if (!person) throw new Refusal('invalid_token', 'The session is over. Sign in again.')
  if (!person.active) throw new Refusal('invalid_token', 'The person this session belongs to is deactivated.')
  return {
    tokenId: null,
    userId: person.id,
    role: person.role,
    name: person.name,
    scopes: new Set(roleScopes[person.role]),
  }
}

/** An SQL condition for sessions that have neither expired nor been idle for too long. */
export const sessionLasts = sql<boolean>`(sessions.expires_at > now()
  and sessions.last_used_at > now() - make_interval(days => ${sql.lit(idleDays)}))`
