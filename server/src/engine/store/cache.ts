// In charge of the SQL for the node cache, which stores outputs by cache key. Only one run at a time computes the outputs for
// a key. When the cache is too large, the entries that were not used for longest are removed.
import { filesIn } from '@atelier/contract/graph/definition.ts'
import { sql } from 'kysely'
import { type Database, type Db, kept, together } from '../../platform/db.ts'
import type { RunLease } from './runs.ts'
import { useFiles } from './unit-store.ts'

export type Claimed = { claimed: ReadonlySet<string>; found: ReadonlyMap<string, Record<string, unknown>> }
export type CacheEntry = { key: string; type: string; outputs: Record<string, unknown>; credits: number }

/**
 * Cached outputs by key. The subquery hides the number of keys from PostgreSQL, which otherwise plans the statement anew each
 * time; the same holds for `releaseKeys`.
 */
export async function findCached(db: Db, keys: readonly string[]): Promise<Map<string, Record<string, unknown>>> {
  const found = await sql<{ key: string; outputs: Record<string, unknown> }>`${sql.raw(kept('find_cached'))}
    select key, outputs from node_cache where key = any((select ${[...keys]}::text[])::text[])`.execute(db)
  return new Map(found.rows.map(({ key, outputs }) => [key, outputs]))
}

/** Cached outputs by key, of at most `limit` bytes in total; `unread`: the cached keys whose outputs were left out. */
export async function findCachedWithin(
  db: Db,
  keys: readonly string[],
  limit: number,
): Promise<{ outputs: Map<string, Record<string, unknown>>; unread: Set<string>; bytes: number }> {
  const { rows } = await sql<{ key: string; outputs: Record<string, unknown> | null; bytes: number }>`
    select key, bytes::float8 as bytes, case when up_to <= ${limit} then outputs end as outputs from (
      select key, outputs, octet_length(outputs::text) as bytes,
        sum(octet_length(outputs::text)) over (order by key) as up_to
      from node_cache where key = any(${[...keys]}::text[])) as found`.execute(db)
  const outputs = new Map(rows.flatMap((row) => (row.outputs ? [[row.key, row.outputs] as const] : [])))
  const unread = new Set(rows.filter((row) => !row.outputs).map(({ key }) => key))
  return { outputs, unread, bytes: rows.reduce((sum, row) => sum + (row.outputs ? row.bytes : 0), 0) }
}

/**
 * Records that entries were used, which delays their removal. An entry is updated at most once a minute, so that a frequently
 * used row is not written each time.
 */
export async function touchCached(db: Db, keys: readonly string[]): Promise<void> {
  await sql`
    update node_cache set used_at = now_ms() where key in (
      select key from node_cache where key = any(${[...keys]}::text[]) and used_at < now() - interval '1 minute'
      order by key for no key update skip locked)`.execute(db)
}

/**
 * Claims keys for a run, which the caller has locked, so that only this run computes their outputs. `claimed`: the requested
 * keys that the run has now, also by earlier claims. `found`: outputs that are cached under any requested key; another run
 * may have stored them after this worker looked for them. A claim is valid only while its run is running with the lease under
 * which the claim was made, so the claims of a dead worker end without a clean-up. Keys are claimed in sorted order, so that
 * two transactions cannot deadlock.
 */
export async function claimKeys(tx: Db, keys: readonly string[], { runId, lease }: RunLease): Promise<Claimed> {
  if (keys.length === 0) return { claimed: new Set(), found: new Map() }
  const claiming = sql<{ key: string }>`${sql.raw(kept('claim_keys'))}
    insert into cache_claims (key, run_id, lease)
    select key, ${runId}, ${lease} from unnest(${keys.toSorted()}::text[]) with ordinality as x (key, nth) order by nth
    on conflict (key) do update set run_id = excluded.run_id, lease = excluded.lease
    where cache_claims.run_id = excluded.run_id or not exists (
      select from runs r where r.id = cache_claims.run_id and r.lease = cache_claims.lease and r.status = 'running')
    returning key`.execute(tx)
  // This statement comes after the claim, so that it sees rows that were committed while the claim waited.
  const [taken, found] = await together([claiming, findCached(tx, keys)])
  return { claimed: new Set(taken.rows.map(({ key }) => key)), found }
}

export async function releaseKeys(db: Db, keys: readonly string[], { runId, lease }: RunLease): Promise<void> {
  await sql`${sql.raw(kept('release_keys'))}
    delete from cache_claims where key = any((select ${[...keys]}::text[])::text[]) and run_id = ${runId} and lease = ${lease}`.execute(
    db,
  )
}

/** Releases all keys that a run has claimed. */
export async function releaseAllKeys(tx: Db, runId: string): Promise<void> {
  await tx.deleteFrom('cache_claims').where('run_id', '=', runId).execute()
}

/**
 * Stores outputs. An existing entry stays, since two computations for one key return equivalent outputs. Entries are written
 * in sorted order, so that two transactions cannot deadlock.
 */
export async function insertCached(tx: Db, entries: readonly CacheEntry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ key, type, outputs, credits }) => {
    const text = JSON.stringify(outputs)
    const files = new Map(filesIn(outputs).map(({ digest, size }) => [digest, size]))
    const bytes = Buffer.byteLength(text) + [...files.values()].reduce((sum, size) => sum + size, 0)
    return { key, type, text, credits, bytes, digests: [...files.keys()] }
  })
  const inserted = await sql<{ key: string }>`${sql.raw(kept('insert_cached'))}
    insert into node_cache (key, type, outputs, bytes, credits)
    select key, type, outputs::json, bytes, credits
    from unnest(${rows.map(({ key }) => key)}::text[], ${rows.map(({ type }) => type)}::text[],
      ${rows.map(({ text }) => text)}::text[], ${rows.map(({ bytes }) => bytes)}::bigint[],
      ${rows.map(({ credits }) => credits)}::float8[]) as x (key, type, outputs, bytes, credits)
    order by key on conflict (key) do nothing returning key`.execute(tx)
  const keys = new Set(inserted.rows.map(({ key }) => key))
  for (const { key, digests } of rows) if (keys.has(key)) await useFiles(tx, 'cache', key, digests)
}

const batch = 200

/**
 * Removes the entries that were not used for longest, until the rest has at most `limitBytes`; called periodically. Returns
 * how many entries were removed.
 */
export async function evict(database: Database, limitBytes: number, stopping?: AbortSignal): Promise<number> {
  let gone = 0
  for (;;) {
    if (stopping?.aborted) break
    const removed = await database.tx(async (tx) => {
      const { rows } = await sql<{ key: string }>`
        delete from node_cache where key in (
          select key from (
            select key, used_at, sum(bytes) over (order by used_at desc, key) as kept from node_cache
          ) as ranked where kept > ${limitBytes} order by used_at, key limit ${batch}
        ) returning key`.execute(tx)
      const keys = rows.map(({ key }) => key)
      if (keys.length > 0) {
        await tx.deleteFrom('file_uses').where('used_by', '=', 'cache').where('user_key', 'in', keys).execute()
      }
      return keys.length
    })
    gone += removed
    if (removed < batch) break
  }
  return gone
}
