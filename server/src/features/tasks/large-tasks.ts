// In charge of locking, changing and reading many tasks part by part. A task may have megabytes, since it has up to ten thousand
// planned names and any JSON: of a hundred such tasks, one statement for all of them held the thread for seconds on the embedded
// database. Tasks of the usual size still share few statements.
import { sql } from 'kysely'
import { turn } from '../../engine/model/turns.ts'
import { chunksOf, type Size } from '../../platform/chunks.ts'
import { type Db, together } from '../../platform/db.ts'
import { keysOf } from '../../platform/rows.ts'
import { type LockedTask, readTasks, seeTasks, type TaskText } from './store.ts'

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
/** The sizes of stored values are known without reading the values. */
const storedBytes = sql<number>`${sql.raw(longColumns.map((name) => `coalesce(pg_column_size(t.${name}), 0)`).join(' + '))}`

/** Locks tasks in the order of their ids, as `lockTasks` does. */
export async function lockInParts(tx: Db, ids: readonly string[]): Promise<LockedTask[]> {
  const locked = keysOf(ids, 'uuid')
  const { rows } = await sql<Sized>`${locked.begin('lock_sized_tasks')}
    select t.id, ${storedBytes} as bytes from tasks t where t.id ${locked.is} order by t.id for no key update`.execute(
    tx,
  )
  return readParts(rows, (part) => seeTasks(tx, part))
}

/** As `readTasks`. */
export async function readInParts(db: Db, ids: readonly string[]): Promise<TaskText[]> {
  const read = keysOf(ids, 'uuid')
  const { rows } = await sql<Sized>`${read.begin('size_tasks')}
    select t.id, ${storedBytes} as bytes from tasks t where t.id ${read.is}`.execute(db)
  const bytesOf = new Map(rows.map(({ id, bytes }) => [id, bytes]))
  const sized = ids.map((id) => ({ id, bytes: bytesOf.get(id) ?? 0 }))
  return readParts(sized, (part) => readTasks(db, part))
}

async function readParts<Read>(
  tasks: readonly Sized[],
  read: (ids: readonly string[]) => Promise<Read[]>,
): Promise<Read[]> {
  const found: Read[] = []
  for (const part of chunksOf(tasks, ofOneRead, ({ bytes }) => ({ count: 1, bytes }))) {
    if (found.length > 0) await turn()
    found.push(...(await read(part.map(({ id }) => id))))
  }
  return found
}

/** What is sent to the database at the same time at most, if it is for more than one task. */
const ofOneWrite: Size = { count: 25, bytes: 262_144 }

/**
 * Writes for each element of `all`, a part of them at the same time. Returns the writes of the last part, which have been sent but
 * are not done yet.
 */
export async function writeInParts<T>(
  all: readonly T[],
  bytesOf: (one: T) => number,
  write: (one: T) => Promise<void>,
): Promise<{ last: Promise<unknown> }> {
  const parts = [...chunksOf(all, ofOneWrite, (one) => ({ count: 1, bytes: bytesOf(one) }))]
  const last = parts.pop() ?? []
  for (const part of parts) {
    await together(part.map(write))
    await turn()
  }
  return { last: together(last.map(write)) }
}
