// In charge of the SQL for the node cache, which stores outputs by cache key. A run claims a key before it computes the outputs
// for it, so that only one run at a time does so. When the cache is too large, the least recently used entries are removed.
import { filesIn } from '@atelier/contract/graph/definition.ts'
import { sql } from 'kysely'
import { type Database, type Db, together } from '../../platform/db.ts'
import { keysOf, rowsAs } from '../../platform/rows.ts'
import { jsonSize } from '../model/json-size.ts'
import type { RunLease } from './runs.ts'
import { useFiles } from './unit-store.ts'

/** The result of a call: its outputs, and its message for people; null if it had none. */
export type KnownResult = { outputs: Record<string, unknown>; message: string | null }
export type Claimed = { claimed: ReadonlySet<string>; found: ReadonlyMap<string, KnownResult> }
export type CacheEntry = KnownResult & { key: string; type: string; credits: number }

const keyRows = rowsAs('k', { key: 'text' })
const entryRows = rowsAs('c', {
  ...{ key: 'text', type: 'text', outputs: 'json', message: 'text', bytes: 'bigint', credits: 'float8' },
})

/** Finds cached results, by key. */
export async function findCached(db: Db, keys: readonly string[]): Promise<Map<string, KnownResult>> {
  const asked = keysOf(keys)
  const found = await sql<KnownResult & { key: string }>`${asked.begin('find_cached')}
    select key, outputs, message from node_cache where key ${asked.is}`.execute(db)
  return new Map(found.rows.map(({ key, ...known }) => [key, known]))
}

/**
 * Finds cached outputs, by key, and returns at most `limit` bytes of them. `unread`: the keys in the cache whose outputs were
 * left out because of the limit. `bytes`: the size of the returned outputs.
 */
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
 * Records that entries were used, which delays their removal. The time of the last use is updated at most once a minute, so
 * that the row of a frequently used entry is not written at each use.
 */
export async function touchCached(db: Db, keys: readonly string[]): Promise<void> {
  await sql`
    update node_cache set used_at = now_ms() where key in (
      select key from node_cache where key = any(${[...keys]}::text[]) and used_at < now() - interval '1 minute'
      order by key for no key update skip locked)`.execute(db)
}

/**
 * Claims keys, so that only this run computes the outputs for them. The caller has locked the run. `claimed`: those of `keys`
 * that the run holds afterwards, including those it had claimed earlier. `found`: the results that the cache has for any of
 * `keys`; another run may have stored them since this worker last looked for them. A claim is valid only while its run is
 * running with the lease under which the claim was made, so the claims of a dead worker end without a clean-up. Keys are
 * claimed in sorted order, so that two transactions that claim the same keys cannot deadlock.
 */
export async function claimKeys(tx: Db, keys: readonly string[], { runId, lease }: RunLease): Promise<Claimed> {
  if (keys.length === 0) return { claimed: new Set(), found: new Map() }
  const asked = keyRows(keys.map((key) => ({ key })))
  const claiming = sql<{ key: string }>`${asked.begin('claim_keys')}
    insert into cache_claims (key, run_id, lease) select k.key, ${runId}, ${lease} from ${asked.from} order by k.key
    on conflict (key) do update set run_id = excluded.run_id, lease = excluded.lease
    where cache_claims.run_id = excluded.run_id or not exists (
      select from runs r where r.id = cache_claims.run_id and r.lease = cache_claims.lease and r.status = 'running')
    returning key`.execute(tx)
  // The cache is read after the claim: the claim may have waited for a transaction of another run that has stored outputs.
  const [taken, found] = await together([claiming, findCached(tx, keys)])
  return { claimed: new Set(taken.rows.map(({ key }) => key)), found }
}

export async function releaseKeys(db: Db, keys: readonly string[], { runId, lease }: RunLease): Promise<void> {
  const asked = keysOf(keys)
  await sql`${asked.begin('release_keys')}
    delete from cache_claims where key ${asked.is} and run_id = ${runId} and lease = ${lease}`.execute(db)
}

/** Releases all keys that a run has claimed. */
export async function releaseAllKeys(tx: Db, runId: string): Promise<void> {
  await tx.deleteFrom('cache_claims').where('run_id', '=', runId).execute()
}

/**
 * Stores outputs in the cache. An existing entry is not overwritten, since all outputs for one key are equally valid. Entries
 * are written in the order of their keys, so that two transactions that store the same keys cannot deadlock.
 */
export async function insertCached(tx: Db, entries: readonly CacheEntry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ key, type, outputs, message, credits }) => {
    const files = new Map(filesIn(outputs).map(({ digest, size }) => [digest, size]))
    const bytes = jsonSize(outputs) + [...files.values()].reduce((sum, size) => sum + size, 0)
    return { key, type, outputs, message, credits, bytes, digests: [...files.keys()] }
  })
  const given = entryRows(rows)
  const inserted = await sql<{ key: string }>`${given.begin('insert_cached')}
    insert into node_cache (key, type, outputs, message, bytes, credits)
    select c.key, c.type, c.outputs, c.message, c.bytes, c.credits from ${given.from}
    order by c.key on conflict (key) do nothing returning key`.execute(tx)
  const keys = new Set(inserted.rows.map(({ key }) => key))
  for (const { key, digests } of rows) if (keys.has(key)) await useFiles(tx, 'cache', key, digests)
}

const batch = 200

/**
 * Removes the least recently used entries, until the others and their files have at most `limitBytes` bytes, or until
 * `stopping` is aborted. Returns how many entries were removed. Called periodically.
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
