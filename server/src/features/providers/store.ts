// In charge of storing the encrypted keys of providers, and of notifying every process when a key has changed.
import { sql } from 'kysely'
import { type Actor, authorOf } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'

export const keysChannel = 'atelier_provider_keys'

/** A stored key. `author` is who set it, as an `Author` of the contract; null if neither a user nor a token is recorded. */
export type KeyRow = { provider: string; sealed: string; last4: string; set_at: string; author: unknown }

export async function readKeys(db: Db): Promise<KeyRow[]> {
  const found = await sql<KeyRow>`
    select k.provider, k.sealed, k.last4, iso(k.set_at) as set_at,
      case when k.by_user is null and k.by_token is null then null
        else json_build_object('user_id', k.by_user, 'token_id', k.by_token, 'name', coalesce(u.name, t.name)) end as author
    from provider_keys k left join users u on u.id = k.by_user left join tokens t on t.id = k.by_token
    order by k.provider`.execute(db)
  return found.rows
}

export async function writeKey(
  tx: Db,
  actor: Actor,
  { provider, sealed, last4 }: Pick<KeyRow, 'provider' | 'sealed' | 'last4'>,
): Promise<void> {
  const { by_user, by_token } = authorOf(actor)
  await sql`
    insert into provider_keys (provider, sealed, last4, by_user, by_token)
    values (${provider}, ${sealed}, ${last4}, ${by_user}::uuid, ${by_token}::uuid)
    on conflict (provider) do update set sealed = excluded.sealed, last4 = excluded.last4, set_at = now_ms(),
      by_user = excluded.by_user, by_token = excluded.by_token`.execute(tx)
  await announce(tx)
}

export async function deleteKey(tx: Db, provider: string): Promise<void> {
  await sql`delete from provider_keys where provider = ${provider}`.execute(tx)
  await announce(tx)
}

/** Replaces the encrypted form of a key, unless somebody has set another key in the meantime. */
export async function resealKey(
  db: Db,
  { provider, sealed }: Pick<KeyRow, 'provider' | 'sealed'>,
  next: string,
): Promise<void> {
  await sql`update provider_keys set sealed = ${next} where provider = ${provider} and sealed = ${sealed}`.execute(db)
}

const announce = (tx: Db) => sql`select pg_notify(${keysChannel}, '')`.execute(tx)
