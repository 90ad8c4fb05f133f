// In charge of the retention window, in which a deleted record can be restored: its SQL conditions, its early end, and the refusals
// after it.
import { type Findable, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import { type Db, retentionOf } from './db.ts'

/** Returns an SQL condition for rows that are not deleted, or were deleted so recently that they can be restored. */
export const inRetention = (db: Db, table: string) =>
  sql<boolean>`(${sql.ref(`${table}.deleted_at`)} is null
    or ${sql.ref(`${table}.deleted_at`)} > now() - make_interval(secs => ${retentionOf(db)}))`

/** Returns an SQL condition for rows that were deleted so long ago that they cannot be restored; a purge may remove such rows. */
export const pastRetention = (db: Db, table: string) =>
  sql<boolean>`${sql.ref(`${table}.deleted_at`)} <= now() - make_interval(secs => ${retentionOf(db)})`

/** A time that is before the beginning of every retention window that can be set, the longest of which has a hundred years. */
const longAgo = '0001-01-01T00:00:00Z'

/**
 * Ends the retention window of records for good. A purge that removes a record in several transactions does this in the first one:
 * if an operator made the window longer in between, the record could otherwise be restored without what is already removed.
 */
export async function endRetention(tx: Db, table: 'tasks' | 'graphs' | 'runs', ids: readonly string[]): Promise<void> {
  await sql`update ${sql.table(table)} set deleted_at = ${longAgo}::timestamptz
    where id = any(${[...ids]}::uuid[]) and deleted_at > ${longAgo}::timestamptz`.execute(tx)
}

export const retentionOver = (what: Findable): Refusal =>
  new Refusal('retention_over', `The ${what} was deleted longer ago than the retention window; it cannot come back.`)

/** Returns the refusal for restoring a record that does not exist: either a purge has removed the record, or the id is unknown. */
export async function goneOrUnknown(db: Db, what: Findable, id: string): Promise<Refusal> {
  const purged = await db.selectFrom('purged').select('id').where('id', '=', id).executeTakeFirst()
  return purged ? retentionOver(what) : notFound(what, id)
}
