// In charge of the SQL for the table of running workers and their node types.
import { type CompiledQuery, sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { type Need, versionsOf } from '../model/needs.ts'

/** A worker is alive if it has advertised its node types within this many seconds. */
export const liveSeconds = 15

/** Whether one live worker has the node types of all these nodes. */
export async function isPerformable(db: Db, needs: readonly Need[]): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from workers
      where seen_at > now() - make_interval(secs => ${liveSeconds}) and ${versionsOf(needs)}::text[] <@ has) as found`.execute(
    db,
  )
  return rows[0]?.found === true
}

/** Advertises a worker with its node types. Returns whether there are other workers that are alive. */
export async function advertise(db: Db, id: string, name: string, has: ReadonlySet<string>): Promise<boolean> {
  const { rows } = await sql<{ others: boolean }>`
    insert into workers (id, name, has, seen_at) values (${id}, ${name}, ${[...has]}::text[], now_ms())
    on conflict (id) do update set seen_at = excluded.seen_at
    returning exists (select from workers
      where id <> ${id} and seen_at > now() - make_interval(secs => ${liveSeconds})) as others`.execute(db)
  return rows[0]?.others === true
}

/** The statement by which a worker that has advertised its node types continues to count as alive. */
export const seenOf = (db: Db, id: string): CompiledQuery =>
  sql`update workers set seen_at = now_ms() where id = ${id}`.compile(db)

/** Removes a worker that has stopped from the table. */
export async function withdraw(db: Db, id: string): Promise<void> {
  await db.deleteFrom('workers').where('id', '=', id).execute()
}

/** Removes all workers from the table. */
export async function forgetWorkers(db: Db): Promise<void> {
  await db.deleteFrom('workers').execute()
}
