// In charge of checking bearer tokens: static tokens (stored as hashes), tokens from an issuer, and session tokens. Verified tokens
// are cached for a short time; any change of a token or person clears the cache.
import { hash as digest, randomBytes } from 'node:crypto'
import { roleScopes, type Scope, scopes } from '@atelier/contract/enums.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { madeSinceEnd } from './access.ts'
import { type AccessTokens, looksLikeJwt } from './access-tokens.ts'
import type { Actor } from './actor.ts'
import type { Clock } from './clock.ts'
import { type Database, type Db, tellChanged } from './db.ts'
import { actorOfAccessToken } from './identities.ts'
import { actorOfSession, type SessionTokens } from './session-tokens.ts'
import type { Stamp } from './tables.ts'

const prefix = 'atl_'
/** The notification channel on which a process tells all processes that a token or a person has changed. */
const channel = 'atelier_auth'
/** How long a verified token stays in the cache. If a notification is lost, a revoked token is accepted no longer than this. */
const cacheMs = 5_000
const cacheSize = 10_000

export type Auth = {
  /** Returns the caller to whom the token in an Authorization header belongs; throws `unauthenticated` or `invalid_token`. */
  authenticate(header: string | undefined): Promise<Actor>
  /** As `authenticate`; returns for how many milliseconds from now the token lasts, `Infinity` if it does not expire. */
  lastsMs(header: string | undefined): Promise<number>
  /** Calls the listener after every change of a token or a person that this process is told of. Returns what ends that. */
  onChange(listener: () => void): () => void
  /** Forgets the verified tokens of this process; other processes forget theirs when they are notified. */
  forget(): void
  /** Stores, for each token that was used since the previous call, the time of its last use, to the minute. */
  recordUse(): Promise<void>
}

type Verifiers = {
  operatorToken?: string | undefined
  accessTokens?: AccessTokens | null
  sessionTokens?: SessionTokens
}

/** Returns the token in an Authorization header; null if the header does not have the form `Bearer <token>`. */
export const bearerToken = (header: string | undefined): string | null =>
  /^Bearer +([\x21-\x7e]+) *$/i.exec(header ?? '')?.[1] ?? null

export const hashToken = (token: string): Buffer => digest('sha256', token, 'buffer')
/** Makes a token of 256 random bits, with a prefix that secret scanners can search for. */
export const newToken = (): string => prefix + randomBytes(32).toString('base64url')

/**
 * Creates the service that checks tokens. `operatorToken` is accepted by this process only. The operator's commands, such as
 * `npm run token`, read it from the data folder. Storing it there is safe: whoever can read that folder has full access anyway.
 */
export async function createAuth(
  database: Database,
  clock: Clock,
  { operatorToken, accessTokens, sessionTokens }: Verifiers = {},
): Promise<Auth> {
  const operatorKey = operatorToken === undefined ? null : digest('sha256', operatorToken, 'base64')
  const cache = new Map<string, Verified & { until: number }>()
  const listeners = new Set<() => void>()
  const used = new Map<string, number>()
  // Increases with every change of tokens or people, so that a row that was read before a change is not cached after that change.
  let epoch = 0
  const clear = (): void => {
    epoch++
    cache.clear()
  }
  const forget = (): void => {
    clear()
    for (const listener of listeners) listener()
  }
  await database.listen(channel, forget, forget)

  const ofStaticToken = async (tokenHash: Buffer, now: number): Promise<Verified> => {
    const found = await findToken(database.main, tokenHash)
    if (!found)
      throw new Refusal('invalid_token', 'The token is not known here. Check it, or ask an admin for a new one.')
    refuseEnded(found, now)
    return { actor: toActor(found), end: found.expires_at === null ? Infinity : Date.parse(found.expires_at) }
  }
  const ofAccessToken = async (tokens: AccessTokens, token: string): Promise<Verified> => {
    const verified = await tokens.verify(token)
    return { actor: await actorOfAccessToken(database, verified), end: verified.end }
  }

  const ofToken = async (token: string, key: string, now: number): Promise<Verified> => {
    const session = sessionTokens?.read(token) ?? null
    if (session !== null) return { actor: await actorOfSession(database.main, session.sessionId), end: session.end }
    if (accessTokens && looksLikeJwt(token)) return ofAccessToken(accessTokens, token)
    return ofStaticToken(Buffer.from(key, 'base64'), now)
  }

  const verify = async (token: string): Promise<Verified> => {
    const key = digest('sha256', token, 'base64')
    if (key === operatorKey) return { actor: operator, end: Infinity }
    const now = clock.now()
    if (!database.listening()) clear()
    const known = cache.get(key)
    if (known && known.until > now) return known
    cache.delete(key)
    const before = epoch
    const verified = await ofToken(token, key, now)
    if (before !== epoch) return verified
    if (cache.size >= cacheSize) cache.delete(cache.keys().next().value ?? '')
    cache.set(key, { ...verified, until: Math.min(now + cacheMs, verified.end) })
    return verified
  }
  const admit = async (header: string | undefined): Promise<Verified> => {
    if (header === undefined) throw new Refusal('unauthenticated', 'Send a token: Authorization: Bearer <token>.')
    const token = bearerToken(header)
    if (token === null) throw new Refusal('invalid_token', 'The Authorization header must be: Bearer <token>.')
    const verified = await verify(token)
    if (verified.actor.tokenId) used.set(verified.actor.tokenId, clock.now())
    return verified
  }

  return {
    authenticate: async (header) => (await admit(header)).actor,
    lastsMs: async (header) => (await admit(header)).end - clock.now(),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    forget,
    async recordUse() {
      const seen = [...used]
      used.clear()
      if (seen.length > 0) await recordUse(database.main, seen)
    },
  }
}

const operator: Actor = { tokenId: null, userId: null, role: null, name: 'Operator', scopes: new Set(scopes) }

/** A caller, and the time at which the caller's token expires, in ms since the epoch; `Infinity` if it never expires. */
type Verified = { actor: Actor; end: number }

type FoundToken = {
  id: string
  name: string
  scopes: Scope[]
  user_id: string | null
  expires_at: Stamp | null
  revoked_at: Stamp | null
  user_name: string | null
  role: 'reader' | 'writer' | 'admin' | null
  active: boolean | null
  is_current: boolean
}

const findToken = (db: Db, tokenHash: Buffer): Promise<FoundToken | undefined> =>
  db
    .selectFrom('tokens')
    .leftJoin('users', 'users.id', 'tokens.user_id')
    .select(['tokens.id', 'tokens.name', 'scopes', 'user_id', 'expires_at', 'revoked_at'])
    .select(['users.name as user_name', 'users.role', 'users.active'])
    .select(madeSinceEnd(sql`tokens.created_at`).as('is_current'))
    .where('hash', '=', tokenHash)
    .executeTakeFirst()

function refuseEnded({ revoked_at, expires_at, user_id, active, is_current }: FoundToken, now: number): void {
  if (revoked_at !== null) throw new Refusal('invalid_token', 'The token was revoked.')
  if (expires_at !== null && Date.parse(expires_at) <= now) throw new Refusal('invalid_token', 'The token has expired.')
  if (user_id !== null && !active)
    throw new Refusal('invalid_token', 'The person this token belongs to is deactivated.')
  if (!is_current)
    throw new Refusal('invalid_token', 'The token is from before the access of its person ended. Ask for a new one.')
}

function toActor({ id, name, scopes, user_id, user_name, role }: FoundToken): Actor {
  if (user_id === null || role === null) return { tokenId: id, userId: null, role: null, name, scopes: new Set(scopes) }
  const allowed = new Set(roleScopes[role])
  return {
    tokenId: id,
    userId: user_id,
    role,
    name: user_name,
    scopes: new Set(scopes.filter((scope) => allowed.has(scope))),
  }
}

async function recordUse(db: Db, seen: [string, number][]): Promise<void> {
  const ids = seen.map(([id]) => id)
  const times = seen.map(([, at]) => new Date(at).toISOString())
  await sql`
    update tokens set last_used_at = date_trunc('minute', seen.at)
    from unnest(${ids}::uuid[], ${times}::timestamptz[]) as seen (id, at)
    where tokens.id = seen.id and (last_used_at is null or last_used_at < date_trunc('minute', seen.at))`.execute(db)
}

/** Stores the hash of a token; the token itself is not stored anywhere. */
export async function insertToken(
  tx: Db,
  given: { name: string; token: string; scopes: readonly Scope[]; userId: string | null; expiresAt: Stamp | null },
): Promise<string> {
  const id = uuidv7()
  await tx
    .insertInto('tokens')
    .values({
      id,
      name: given.name,
      hash: hashToken(given.token),
      hint: given.token.slice(-4),
      scopes: [...given.scopes],
      user_id: given.userId,
      expires_at: given.expiresAt,
      revoked_at: null,
      last_used_at: null,
    })
    .execute()
  tellChanged(tx, 'token', id)
  return id
}

/** When this transaction commits, notifies every process that cached tokens may be outdated. */
export async function announceAuthChange(tx: Db): Promise<void> {
  await sql`select pg_notify(${channel}, '')`.execute(tx)
}
