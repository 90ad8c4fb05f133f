// In charge of the retention window in SQL, and of the refusals once it is over.
import { type Findable, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import { type Db, retentionOf } from './db.ts'

/** Rows that are live, or were deleted less than the window ago. */
export const inRetention = (db: Db, table: string) =>
  sql<boolean>`(${sql.ref(`${table}.deleted_at`)} is null
    or ${sql.ref(`${table}.deleted_at`)} > now() - make_interval(secs => ${retentionOf(db)}))`

/** Rows that were deleted longer ago than the window: what a purge may take. */
export const pastRetention = (db: Db, table: string) =>
  sql<boolean>`${sql.ref(`${table}.deleted_at`)} <= now() - make_interval(secs => ${retentionOf(db)})`

export const retentionOver = (what: Findable): Refusal =>
  new Refusal('retention_over', `The ${what} was deleted longer ago than the retention window; it cannot come back.`)

/** For what should come back and is not there: a purge has removed it, or it never was. */
export async function goneOrUnknown(db: Db, what: Findable, id: string): Promise<Refusal> {
  const purged = await db.selectFrom('purged').select('id').where('id', '=', id).executeTakeFirst()
  return purged ? retentionOver(what) : notFound(what, id)
}
