// In charge of stored files: a row without its bytes never exists, and bytes without a row are removed, even if a process dies.
//
// 1. A row in `files` guarantees that the bytes exist: they are stored inside the transaction that inserts the row.
// 2. Bytes that may be in the store without a row have an entry in `loose_files`: an upload first writes its digest there and
//    deletes that entry in the transaction that inserts the row; a purge adds an entry in the transaction that deletes a row.
//    If a process dies in between, `removeLoose` finds the entry. The store is never searched for bytes to delete: a service
//    that was started on an empty database by mistake would delete all of them.
// 3. Before bytes are deleted, the digest's entry in `loose_files` is locked, and an upload of the same bytes deletes that entry
//    before it stores them: so a deletion and an upload wait for each other, even on different machines.
// 4. A purge locks rows in `files` and skips locked ones; code that adds a reference to a file locks the file's row first.
//    Even if code forgets that lock, the foreign keys protect the row.
import type { Readable } from 'node:stream'
import type { StoredFile } from '@atelier/contract/files.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import type { ByteRange, ByteStore, LinkHeaders } from './byte-store.ts'
import type { Database, Db } from './db.ts'

export const noFile = (digest: string): Refusal =>
  new Refusal('not_found', `There is no file with the digest ${digest}.`)

export type FileStore = {
  /** Prepares the store of bytes; throws `OperatorError` if it cannot be used. */
  prepare(): Promise<void>
  /** Stores a file, or returns the file that has the same bytes (with its own media type). The file's grace period starts again. */
  put(source: Readable, mediaType: string): Promise<StoredFile>
  find(digest: string): Promise<StoredFile | undefined>
  read(file: StoredFile, range?: ByteRange): Promise<Readable>
  /** Returns the URL at which the store itself serves the file for a few minutes; null if the store makes no such URLs. */
  linkTo(file: StoredFile, headers: LinkHeaders): Promise<string | null>
  /**
   * Called periodically: removes files that nothing has referred to for the grace period, and remains of interrupted writes. Ends
   * early if `stopping` is aborted.
   */
  purge(options?: { graceSeconds?: number; stopping?: AbortSignal }): Promise<void>
}

const hour = 3600
const defaultGraceSeconds = 48 * hour
/** No upload or purge takes this long, so an older entry of `loose_files` was left by a process that died. */
const abandonedSeconds = hour
const batch = 200
/** How many rows of `files` one transaction of `markUnused` checks. */
const page = 2000

export function fileStore(database: Database, store: ByteStore, limit: number): FileStore {
  return {
    prepare: store.prepare,
    put: async (source, mediaType) => {
      const incoming = await store.receive(source, limit)
      try {
        await markLoose(database.main, [incoming.digest])
        await incoming.send()
        return await database.tx(async (tx) => {
          const file = await insertFile(tx, incoming, mediaType)
          await tx.deleteFrom('loose_files').where('digest', '=', incoming.digest).execute()
          await incoming.place() // last, so that the bytes are not placed yet if the transaction fails and runs again
          return file
        })
      } finally {
        await incoming.discard()
      }
    },
    find: (digest) => database.main.selectFrom('files').select(columns).where('digest', '=', digest).executeTakeFirst(),
    read: ({ digest, size }, range) => store.read(digest, size, range),
    linkTo: ({ digest }, headers) => store.linkTo(digest, headers),
    purge: async ({ graceSeconds = defaultGraceSeconds, stopping } = {}) => {
      const goesOn = () => !stopping?.aborted
      await markUnused(database, goesOn)
      while (goesOn() && (await database.tx((tx) => removeUnused(tx, graceSeconds))) > 0);
      while (goesOn() && (await database.tx((tx) => removeLoose(tx, store))));
      if (goesOn()) await store.removeAbandoned(abandonedSeconds * 1000)
    },
  }
}

const columns = ['digest', 'size', 'media_type', 'created_at'] as const

type Declared = { digest: string; size: number }

/** Inserts the row of a file, or returns the row that exists already. */
const insertFile = (tx: Db, { digest, size }: Declared, mediaType: string): Promise<StoredFile> =>
  tx
    .insertInto('files')
    .values({ digest, size, media_type: mediaType })
    .onConflict((conflict) =>
      conflict
        .column('digest')
        .doUpdateSet({ unused_since: sql`case when files.unused_since is not null then now_ms() end` }),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()

async function markLoose(db: Db, digests: string[]): Promise<void> {
  await db
    .insertInto('loose_files')
    .values(digests.map((digest) => ({ digest })))
    .onConflict((conflict) => conflict.column('digest').doUpdateSet({ loose_since: sql`now_ms()` }))
    .execute()
}

/** SQL for whether anything refers to a file. A table that refers to files must be listed here or add rows to `file_uses`. */
const used = sql<boolean>`(exists (select from creatives where creatives.file = files.digest)
  or exists (select from file_uses where file_uses.digest = files.digest))`

/**
 * Updates `unused_since`, the start of a file's grace period: the time when a purge found it unused; null while it is used. Reads
 * all files, a page in each transaction, so that no transaction is long or locks many rows, however many files there are.
 */
async function markUnused(database: Database, goesOn: () => boolean): Promise<void> {
  let last: string | null = ''
  while (last !== null && goesOn()) {
    const after: string = last
    last = await database.tx((tx) => markPage(tx, after))
  }
}

/** Marks the files of the page after the digest `after`. Returns the last digest of the page; null if no more files follow. */
async function markPage(tx: Db, after: string): Promise<string | null> {
  const { rows } = await sql<{ last: string | null; count: number }>`
    with page as materialized (
      select digest, unused_since is null as was_used, ${used} as is_used
      from files where digest > ${after} order by digest limit ${page}),
    marked as (
      update files set unused_since = case when page.is_used then null else now_ms() end
      from page where files.digest = page.digest and page.is_used <> page.was_used)
    select max(digest) as last, count(*)::int as count from page`.execute(tx)
  const [found] = rows
  return found && found.count === page ? found.last : null
}

/** Locks rows that have been unused for long enough, and deletes those that are still unused. `removeLoose` removes their bytes. */
async function removeUnused(tx: Db, graceSeconds: number): Promise<number> {
  const due = await sql<{ digest: string }>`
    select digest from files where unused_since <= now() - make_interval(secs => ${graceSeconds})
    order by unused_since limit ${batch} for update skip locked`.execute(tx)
  if (due.rows.length === 0) return 0
  const gone = await sql<{ digest: string }>`
    delete from files where digest = any(${due.rows.map(({ digest }) => digest)}::text[]) and not ${used}
    returning digest`.execute(tx)
  if (gone.rows.length === 0) return 0
  await markLoose(
    tx,
    gone.rows.map(({ digest }) => digest),
  )
  return gone.rows.length
}

/**
 * Handles one entry of `loose_files` that is older than `abandonedSeconds`: deletes the entry, and also the bytes if `files` has no
 * row with the digest. Returns false if there is no such entry.
 */
async function removeLoose(tx: Db, store: ByteStore): Promise<boolean> {
  const loose = await sql<{ digest: string }>`
    select digest from loose_files where loose_since <= now() - make_interval(secs => ${abandonedSeconds})
    order by loose_since limit 1 for update skip locked`.execute(tx)
  const [row] = loose.rows
  if (!row) return false
  const file = await tx.selectFrom('files').select('digest').where('digest', '=', row.digest).executeTakeFirst()
  if (!file) await store.remove(row.digest)
  await tx.deleteFrom('loose_files').where('digest', '=', row.digest).execute()
  return true
}
