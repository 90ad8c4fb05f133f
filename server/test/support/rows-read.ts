// In charge of filling large tables of a test database, and of how many rows PostgreSQL reads of them.
import type { Service } from './harness.ts'

/** Inserts rows without their triggers and foreign keys, and gathers the statistics that PostgreSQL plans by. */
export const fill = (service: Service, inserts: string) =>
  service.database.script(`begin; set local session_replication_role = replica; ${inserts}; commit; analyze`)

/** How many rows of the tables are read while `work` is done, by any plan. The service has to be one of `startOnOneConnection`. */
export async function rowsRead(
  service: Service,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<number> {
  const read = async (): Promise<number> => {
    await service.rows('select pg_stat_force_next_flush()')
    const [found] = await service.rows<{ rows: number }>(
      `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as rows from pg_stat_user_tables
       where relname = any($1::text[])`,
      [[...tables]],
    )
    return found?.rows ?? 0
  }
  const before = await read()
  await work()
  return (await read()) - before
}
