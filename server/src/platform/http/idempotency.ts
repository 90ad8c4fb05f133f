// In charge of Idempotency-Key: the first successful response for a key is stored for 24 hours, in the same transaction as the
// write. Refusals are not stored, because they undo the transaction.
import { hash } from 'node:crypto'
import type { Route } from '@atelier/contract/routes/route.ts'
import { Invalid, type ValidationError } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { isObject } from '../request-schema.ts'

export type Kept = { status: number; headers: Record<string, string>; body: string }
/**
 * `sent`: the hash of the request as it was sent, which is stored. `same`: the hashes of all requests that mean the same, of which
 * one may be stored for the key.
 */
type RequestHash = { sent: Buffer; same: readonly Buffer[] }
export type Claim = { actor: string; key: string; requestHash: RequestHash }

const hours = 24

/** Returns the key of a request, null if the header is missing; and an error unless the key has 1 to 255 visible ASCII characters. */
export function readKey(raw: string | string[] | undefined): { key: string | null; errors: ValidationError[] } {
  if (raw === undefined) return { key: null, errors: [] }
  if (typeof raw === 'string' && /^[\x21-\x7e]{1,255}$/.test(raw)) return { key: raw, errors: [] }
  return { key: null, errors: [keyError(raw, 'must be 1 to 255 visible ASCII characters')] }
}

/**
 * Hashes a request. If the body is optional, no body, null and an object without members mean the same, so a repeat may have either
 * hash. What is stored is the hash of the body as it was sent, because 0.3.0 stores and compares that: processes of both versions
 * serve the same keys during an update.
 */
export function hashRequest(
  { method, bodyOptional }: Pick<Route, 'method' | 'bodyOptional'>,
  path: string,
  body: unknown,
): RequestHash {
  const hashOf = (one: unknown): Buffer =>
    hash('sha256', JSON.stringify([method, path, one ?? null], inOneOrder), 'buffer')
  const sent = hashOf(body)
  const isLeftOut = (body ?? null) === null || (isObject(body) && Object.keys(body).length === 0)
  return { sent, same: bodyOptional && isLeftOut ? [hashOf(null), hashOf({})] : [sent] }
}

/** Sorts the members of each object, so that two bodies that differ only in the order of members count as the same request. */
const inOneOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

/**
 * Claims the key for this transaction and returns null, or returns the response that is stored for the key. A second request with
 * the same key waits here until the first has committed or failed, because both insert the same primary key.
 */
export async function claimKey(tx: Db, { actor, key, requestHash }: Claim): Promise<Kept | null> {
  await sql`delete from idempotency_keys
    where actor = ${actor} and key = ${key} and created_at < now() - make_interval(hours => ${hours})`.execute(tx)
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values({ actor, key, request_hash: requestHash.sent, status: null, headers: null, body: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (claimed) return null
  const row = await tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'headers', 'body'])
    .where('actor', '=', actor)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  const stored = Buffer.from(row.request_hash)
  if (!requestHash.same.some((one) => stored.equals(one))) {
    throw new Invalid([keyError(key, 'was used before with another request; take a new key for a new request')])
  }
  return { status: row.status ?? 200, headers: row.headers ?? {}, body: row.body ?? '' }
}

export async function keepAnswer(tx: Db, { actor, key }: Claim, kept: Kept): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ status: kept.status, headers: JSON.stringify(kept.headers), body: kept.body })
    .where('actor', '=', actor)
    .where('key', '=', key)
    .execute()
}

/** Called periodically: deletes stored responses that are older than a day. */
export async function forgetOldKeys(db: Db): Promise<void> {
  await sql`delete from idempotency_keys where created_at < now() - make_interval(hours => ${hours})`.execute(db)
}

const keyError = (input: unknown, why: string): ValidationError =>
  errorAt(['header', 'idempotency-key'], valueError(why), input)
