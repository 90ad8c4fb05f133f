// In charge of the retention window as SQL conditions, and of the refusals after its end.
import { type Findable, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import { type Db, retentionOf } from './db.ts'

/** Rows that are not deleted, or were deleted within the retention window. */
export const inRetention = (db: Db, table: string) =>
  sql<boolean>`(${sql.ref(`${table}.deleted_at`)} is null
    or ${sql.ref(`${table}.deleted_at`)} > now() - make_interval(secs => ${retentionOf(db)}))`

/** Rows that were deleted longer ago than the retention window: a purge may remove them. */
export const pastRetention = (db: Db, table: string) =>
  sql<boolean>`${sql.ref(`${table}.deleted_at`)} <= now() - make_interval(secs => ${retentionOf(db)})`

export const retentionOver = (what: Findable): Refusal =>
  new Refusal('retention_over', `The ${what} was deleted longer ago than the retention window; it cannot come back.`)

/** The refusal for restoring a record that does not exist: either a purge has removed it, or the id is unknown. */
export async function goneOrUnknown(db: Db, what: Findable, id: string): Promise<Refusal> {
  const purged = await db.selectFrom('purged').select('id').where('id', '=', id).executeTakeFirst()
  return purged ? retentionOver(what) : notFound(what, id)
}
