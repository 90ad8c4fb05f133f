// In charge of locking, changing and reading many tasks part by part. A task may have megabytes, since it has up to ten thousand
// planned names and any JSON: of a hundred such tasks, one statement for all of them held the thread for seconds on the embedded
// database. Tasks of the usual size still share few statements.
import { sql } from 'kysely'
import { turn } from '../../engine/model/turns.ts'
import { chunksOf, exceeds, none, plus, type Size } from '../../platform/chunks.ts'
import { type Db, together } from '../../platform/db.ts'
import { keysOf } from '../../platform/rows.ts'

/** A task, and about how many bytes its row has as the database stores it, that is with its long values compressed. */
type Sized = { id: string; bytes: number }

/**
 * What one statement reads at most, if it reads more than one task. Names that share a long beginning are compressed to a tenth of
 * their bytes, nothing to less than a ninetieth.
 */
const ofOneRead: Size = { count: 100, bytes: 65_536 }

/** The columns of a task without a bound on their length, or with a high one. */
const longColumns = [
  ...['planned_creative_names', 'planned_creatives_done', 'variants', 'landing', 'funnel', 'cpp', 'search_text'],
  ...['hypothesis', 'notes', 'subject', 'topic', 'subtopics', 'audience', 'var_description', 'legacy_remap_list'],
  ...['drive_folder_id', 'source_creative_ids', 'varied_elements'],
]
/** About how many bytes the database stores for a task. The sizes of stored values are known without reading the values. */
export const storedBytes = sql<number>`${sql.raw(longColumns.map((name) => `coalesce(pg_column_size(t.${name}), 0)`).join(' + '))}`

/** Tasks that are read by one statement: those of the usual size together, a large one by itself. */
type Part = readonly string[]

/** Locks tasks in the order of their ids, as `lockTasks` does. Returns the parts in which to read them. */
export async function lockInParts(tx: Db, ids: readonly string[]): Promise<Part[]> {
  const locked = keysOf(ids, 'uuid')
  const { rows } = await sql<Sized>`${locked.begin('lock_sized_tasks')}
    select t.id, ${storedBytes} as bytes from tasks t where t.id ${locked.is} order by t.id for no key update`.execute(
    tx,
  )
  return partsOf(rows)
}

/** Returns the parts in which to read tasks, in the order of `ids`. */
export async function partsToRead(db: Db, ids: readonly string[]): Promise<Part[]> {
  const bytesOf = new Map((await sizesOf(db, ids)).map(({ id, bytes }) => [id, bytes]))
  return partsOf(ids.map((id) => ({ id, bytes: bytesOf.get(id) ?? 0 })))
}

/** About how many bytes the database stores for tasks. */
export async function storedBytesOf(db: Db, ids: readonly string[]): Promise<number> {
  return (await sizesOf(db, ids)).reduce((sum, { bytes }) => sum + bytes, 0)
}

async function sizesOf(db: Db, ids: readonly string[]): Promise<Sized[]> {
  const sized = keysOf(ids, 'uuid')
  const { rows } = await sql<Sized>`${sized.begin('size_tasks')}
    select t.id, ${storedBytes} as bytes from tasks t where t.id ${sized.is}`.execute(db)
  return rows
}

const partsOf = (tasks: readonly Sized[]): Part[] =>
  [...chunksOf(tasks, ofOneRead, ({ bytes }) => ({ count: 1, bytes }))].map((part) => part.map(({ id }) => id))

/** What is sent to the database at the same time at most, if it is for more than one task. */
const ofOneWrite: Size = { count: 25, bytes: 262_144 }

/**
 * Writes for each element of `all`, a part of them at the same time. Elements are made as they are written, so that no more than a
 * part of them is in memory. Returns the writes of the last part, which have been sent but are not done yet.
 */
export async function writeInParts<T>(
  all: AsyncIterable<T>,
  bytesOf: (one: T) => number,
  write: (one: T) => Promise<void>,
): Promise<{ last: Promise<unknown> }> {
  let part: T[] = []
  let size = none
  for await (const one of all) {
    const more = { count: 1, bytes: bytesOf(one) }
    if (part.length > 0 && exceeds(ofOneWrite, size, more)) {
      await together(part.map(write))
      await turn()
      part = []
      size = none
    }
    part.push(one)
    size = plus(size, more)
  }
  return { last: together(part.map(write)) }
}
