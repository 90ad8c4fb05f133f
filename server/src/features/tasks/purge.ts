// In charge of two background jobs: purging tasks and creatives whose retention window is over, and summing up counters.

import { sql } from 'kysely'
import type { Database, Db } from '../../platform/db.ts'
import { endRetention, pastRetention } from '../../platform/retention.ts'

/** How many tasks one transaction purges at most. The number is small, so that rows are locked only briefly. */
const fewTasks = 100
/** How many creatives one transaction purges at most. A task that has more is purged in several transactions. */
const fewCreatives = 500

/** What one transaction has purged. `purged`: the number to report; `isMore`: whether more may be left. */
type Batch = { purged: number; isMore: boolean }

/**
 * Purges tasks and creatives whose retention window is over, a batch at a time, until none is left or `stopping` is aborted.
 * Returns the number of purged tasks plus the number of purged creatives that had been deleted without their task.
 */
export async function purge(database: Database, stopping?: AbortSignal): Promise<number> {
  // Tasks first: then no batch of the others has to read, and leave out, all the creatives that were deleted with their task.
  const tasks = await inBatches(database, purgeTasks, stopping)
  return tasks + (await inBatches(database, purgeCreatives, stopping))
}

async function inBatches(
  database: Database,
  purgeBatch: (tx: Db) => Promise<Batch>,
  stopping: AbortSignal | undefined,
): Promise<number> {
  let purged = 0
  for (;;) {
    const batch = await database.tx(purgeBatch)
    purged += batch.purged
    if (!batch.isMore || stopping?.aborted) return purged
  }
}

/**
 * Purges a batch of tasks with their creatives. A task that another transaction has locked, for example to restore it, is skipped.
 * Of a task with very many creatives, a batch purges only some of these; the task itself goes with the last of them. Until then
 * nobody can see that some are missing, since neither the task nor its creatives can be read or restored any more.
 * The ids are kept in `purged`, so that a later request to restore a task or creative is told that its retention window is over.
 */
async function purgeTasks(tx: Db): Promise<Batch> {
  const due = await sql<{ id: string }>`
    select id from tasks
    where deleted_at is not null and ${pastRetention(tx, 'tasks')}
    order by deleted_at limit ${fewTasks} for update skip locked`.execute(tx)
  if (due.rows.length === 0) return { purged: 0, isMore: false }
  const ids = sql`${due.rows.map(({ id }) => id)}::uuid[]`
  const emptied = await sql<{ task_id: string }>`
    with gone as (
      delete from creatives where id = any(array(
        select c.id from unnest(${ids}) with ordinality as task (id, nth)
        cross join lateral (select id from creatives where task_id = task.id limit ${fewCreatives}) as c
        limit ${fewCreatives}))
      returning id, task_id),
    noted as (insert into purged (id) select id from gone on conflict do nothing)
    select distinct task_id from gone`.execute(tx)
  const gone = await sql<{ id: string }>`
    with gone as (
      delete from tasks
      where id = any(${ids}) and not exists (select from creatives where creatives.task_id = tasks.id)
      returning id)
    insert into purged (id) select id from gone on conflict do nothing returning id`.execute(tx)
  await endRetention(
    tx,
    'tasks',
    emptied.rows.map(({ task_id }) => task_id),
  )
  return { purged: gone.rows.length, isMore: true }
}

/** Purges a batch of creatives that were deleted without their task. Those that were deleted with their task are purged with it. */
async function purgeCreatives(tx: Db): Promise<Batch> {
  const gone = await sql<{ id: string }>`
    with due as materialized (
      select c.id from creatives c join tasks t on t.id = c.task_id
      where c.deleted_at is not null and ${pastRetention(tx, 'c')}
        and c.delete_id is distinct from t.delete_id
      order by c.deleted_at limit ${fewCreatives} for no key update of t skip locked
    ),
    gone as (
      delete from creatives c using due
      where c.id = due.id and ${pastRetention(tx, 'c')}
      returning c.id
    )
    insert into purged (id) select id from gone on conflict do nothing returning id`.execute(tx)
  return { purged: gone.rows.length, isMore: gone.rows.length > 0 }
}

/**
 * Replaces the many rows that record changes of the counters by a few rows with their sums. This is a single statement, so that no
 * reader sees the counters while rows are missing.
 */
export async function foldCounts(db: Db): Promise<void> {
  await sql`
    with taken as (
      delete from task_counts where id in (select id from task_counts order by id limit 50000 for update skip locked)
      returning status, deleted, delta
    )
    insert into task_counts (status, deleted, delta)
    select status, deleted, sum(delta) from taken group by status, deleted having sum(delta) <> 0`.execute(db)
}
