// In charge of the upkeep of the embedded database, which has no autovacuum. On a PostgreSQL server, autovacuum does the same.
import { sql } from 'kysely'
import type { Db } from './db.ts'

/**
 * Called periodically. Moves new entries of GIN indexes from their pending lists into the indexes, since each search reads the whole
 * list. Then discards the plans of kept statements, because a plan that was made for a nearly empty table reads the whole table: on
 * a board that grew from nothing to 60,000 tasks, reading one task took 70 ms, and takes 5 ms after this. A discarded plan is made
 * anew when its statement is executed next.
 */
export async function keepUp(db: Db): Promise<void> {
  await sql`
    select gin_clean_pending_list(c.oid::regclass) from pg_class c join pg_am a on a.oid = c.relam
    where a.amname = 'gin' and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace`.execute(db)
  await sql`discard plans`.execute(db)
}
