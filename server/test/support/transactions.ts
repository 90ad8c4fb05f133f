// In charge of finding out in tests how many rows of a table a single transaction updates or deletes.
import type { Service } from './harness.ts'

/** Calls `work`, and returns the largest number of rows of the table that one transaction has updated (or deleted) meanwhile. */
export async function mostRowsAtOnce(
  { database }: Pick<Service, 'database'>,
  { table, event }: { table: string; event: 'update' | 'delete' },
  work: () => Promise<unknown>,
): Promise<number> {
  await database.script(`
    create table rows_at_once (transaction bigint, count integer);
    create function note_rows_at_once() returns trigger language plpgsql as
    $$ begin insert into rows_at_once select txid_current(), count(*) from written; return null; end $$;
    create trigger note_rows_at_once after ${event} on ${table} referencing old table as written
    for each statement execute function note_rows_at_once()`)
  try {
    await work()
    const [most] = await database.script(`
      select coalesce(max(count), 0)::integer as count
      from (select sum(count) as count from rows_at_once group by transaction) as each`)
    return Number(most?.count)
  } finally {
    await database.script(`
      drop trigger note_rows_at_once on ${table}; drop function note_rows_at_once; drop table rows_at_once`)
  }
}
