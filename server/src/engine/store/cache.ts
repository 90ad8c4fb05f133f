// In charge of the SQL for the node cache, which stores outputs by cache key. A run claims a key before it computes the outputs
// for it, so that only one run at a time does so. When the cache is too large, the least recently used entries are removed.
import { filesIn } from '@atelier/contract/graph/definition.ts'
import { sql } from 'kysely'
import { type Database, type Db, together } from '../../platform/db.ts'
import { keysOf, rowsAs } from '../../platform/rows.ts'
import type { Stamp } from '../../platform/tables.ts'
import { jsonSize } from '../model/json-size.ts'
import type { RunLease } from './runs.ts'
import { useFiles } from './unit-store.ts'

/** The result of a call: its outputs, and its message for people; null if it had none. */
export type KnownResult = { outputs: Record<string, unknown>; message: string | null }
/** A cached result that was not read because of its size. `bytes`: the size of its outputs. */
export type Unread = { key: string; bytes: number }
export type Claimed = {
  claimed: ReadonlySet<string>
  found: ReadonlyMap<string, KnownResult>
  unread: readonly Unread[]
}
export type CacheEntry = KnownResult & { key: string; type: string; credits: number }

const keyRows = rowsAs('k', { key: 'text' })
const entryRows = rowsAs('c', {
  ...{ key: 'text', type: 'text', outputs: 'json', message: 'text', bytes: 'bigint', credits: 'float8' },
})

/** The maximum bytes of the outputs that one look-up reads, unless a single result is larger. */
export const readLimit = 16 * 1024 * 1024

/**
 * Finds cached results, by key. Together, the outputs of the results in `found` have at most `limit` bytes; but if the cache has
 * any of the results, at least one is read, however large it is. `unread`: the results that were left out because of the limit.
 */
export async function findCached(
  db: Db,
  keys: readonly string[],
  limit = readLimit,
): Promise<{ found: Map<string, KnownResult>; unread: Unread[] }> {
  const asked = keysOf(keys)
  // The first result is the one for which the sum `up_to` is its own size.
  type Found = Unread & { outputs: KnownResult['outputs'] | null; message: string | null }
  const { rows } = await sql<Found>`${asked.begin('find_cached')}
    select key, bytes, message, case when up_to <= ${limit} or up_to = bytes then outputs end as outputs from (
      select key, outputs, message, octet_length(outputs::text)::float8 as bytes,
        sum(octet_length(outputs::text)) over (order by key)::float8 as up_to
      from node_cache where key ${asked.is}) as cached`.execute(db)
  const found = rows.flatMap(({ key, outputs, message }) => (outputs ? [[key, { outputs, message }] as const] : []))
  const unread = rows.flatMap(({ key, bytes, outputs }) => (outputs ? [] : [{ key, bytes }]))
  return { found: new Map(found), unread }
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
 * `keys`; another run may have stored them since this worker last looked for them. `unread`: as in `findCached`. A claim is valid
 * only while its run is running with the lease under which the claim was made, so the claims of a dead worker end without a
 * clean-up. Keys are claimed in sorted order, so that two transactions that claim the same keys cannot deadlock.
 */
export async function claimKeys(tx: Db, keys: readonly string[], { runId, lease }: RunLease): Promise<Claimed> {
  if (keys.length === 0) return { claimed: new Set(), found: new Map(), unread: [] }
  const asked = keyRows(keys.map((key) => ({ key })))
  const claiming = sql<{ key: string }>`${asked.begin('claim_keys')}
    insert into cache_claims (key, run_id, lease) select k.key, ${runId}, ${lease} from ${asked.from} order by k.key
    on conflict (key) do update set run_id = excluded.run_id, lease = excluded.lease
    where cache_claims.run_id = excluded.run_id or not exists (
      select from runs r where r.id = cache_claims.run_id and r.lease = cache_claims.lease and r.status = 'running')
    returning key`.execute(tx)
  // The cache is read after the claim: the claim may have waited for a transaction of another run that has stored outputs.
  const [taken, cached] = await together([claiming, findCached(tx, keys)])
  return { claimed: new Set(taken.rows.map(({ key }) => key)), ...cached }
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

/** The place of an entry in the order in which the entries were last used. */
type Place = { used_at: Stamp; key: string }

/**
 * Removes the least recently used entries, until the others and their files have at most `limitBytes` bytes, or until
 * `stopping` is aborted. Returns how many entries were removed. Called periodically.
 *
 * Several processes may do this at the same time. Each first decides from which entry on the entries stay, and all come to the same
 * decision. If each removed as many bytes as are too many, they would together remove several times as much as necessary.
 */
export async function evict(database: Database, limitBytes: number, stopping?: AbortSignal): Promise<number> {
  const stays = await oldestToStay(database.main, limitBytes)
  if (!stays) return 0
  let gone = 0
  let from: Stamp | null = null
  do {
    if (stopping?.aborted) return gone
    const removed: Place[] = await removeOldest(database, from, stays)
    gone += removed.length
    from = removed.length < batch ? null : (removed.at(-1)?.used_at ?? null)
  } while (from !== null)
  return gone
}

/**
 * Finds the place in the order from which on the entries stay; undefined if all of them do. PostgreSQL adds up the sizes in the
 * order of the index and stops at this place, so that it does not sort the entries that stay.
 */
async function oldestToStay(db: Db, limitBytes: number): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select coalesce(stays.used_at, now_ms()) as used_at, coalesce(stays.key, '') as key
    from (select sum(bytes) - ${limitBytes} as bytes from node_cache) as excess
    left join lateral (
      select used_at, key from (
        select used_at, key, sum(bytes) over (order by used_at, key) - bytes as before from node_cache) as ordered
      where before >= excess.bytes order by used_at, key limit 1) as stays on true
    where excess.bytes > 0`.execute(db)
  return rows[0]
}

/**
 * Removes the oldest entries before `stays`, and returns them, oldest first. `from`: the last use of the newest entry that was
 * removed before; null at first. The search begins there, so that it does not pass what is already removed. Entries that another
 * transaction has locked are left for later.
 */
async function removeOldest(database: Database, from: Stamp | null, stays: Place): Promise<Place[]> {
  return database.tx(async (tx) => {
    const { rows } = await sql<Place>`
      with oldest as materialized (
        select key, used_at from node_cache
        where (used_at, key) < (${stays.used_at}::timestamptz, ${stays.key})
          ${from === null ? sql`` : sql`and used_at >= ${from}::timestamptz`}
        order by used_at, key limit ${batch} for update skip locked),
      removed as (delete from node_cache where key = any(array(select key from oldest)))
      select used_at, key from oldest order by used_at, key`.execute(tx)
    if (rows.length > 0) {
      const keys = rows.map(({ key }) => key)
      await tx.deleteFrom('file_uses').where('used_by', '=', 'cache').where('user_key', 'in', keys).execute()
    }
    return rows
  })
}
