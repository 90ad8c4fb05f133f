// In charge of two background jobs: purging tasks and creatives whose retention window is over, and summing up counters.

import { sql } from 'kysely'
import type { Database, Db } from '../../platform/db.ts'
import { pastRetention } from '../../platform/retention.ts'

/**
 * How many tasks, and how many creatives, one transaction purges at most. The number is small, so that rows are locked only
 * briefly.
 */
const batch = 200

/**
 * Purges tasks and creatives whose retention window is over, a batch at a time, until none is left or `stopping` is aborted.
 * Returns the number of purged tasks plus the number of purged creatives that had been deleted without their task.
 */
export async function purge(database: Database, stopping?: AbortSignal): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await database.tx(async (tx) => {
      return (await purgeTasks(tx)) + (await purgeCreatives(tx))
    })
    removed += count
    if (count === 0 || stopping?.aborted) return removed
  }
}

/**
 * Purges a batch of tasks with their creatives. A task that another transaction has locked, for example to restore it, is skipped.
 * The ids are kept in `purged`, so that a later request to restore a task or creative is told that its retention window is over.
 */
async function purgeTasks(tx: Db): Promise<number> {
  const gone = await sql<{ id: string }>`
    with due as materialized (
      select id from tasks
      where deleted_at is not null and ${pastRetention(tx, 'tasks')}
      order by deleted_at limit ${batch} for update skip locked
    ),
    creatives_gone as (insert into purged (id) select id from creatives where task_id in (select id from due)
      on conflict do nothing),
    tasks_gone as (insert into purged (id) select id from due on conflict do nothing)
    delete from tasks where id in (select id from due) returning id`.execute(tx)
  return gone.rows.length
}

/** Purges a batch of creatives that were deleted without their task. Those that were deleted with their task are purged with it. */
async function purgeCreatives(tx: Db): Promise<number> {
  const gone = await sql<{ id: string }>`
    with due as materialized (
      select c.id, c.task_id from creatives c join tasks t on t.id = c.task_id
      where c.deleted_at is not null and ${pastRetention(tx, 'c')}
        and c.delete_id is distinct from t.delete_id
      order by c.deleted_at limit ${batch}
    ),
    locked as materialized (
      select id from tasks where id in (select task_id from due) order by id for no key update skip locked
    ),
    gone as (
      delete from creatives c using due
      where c.id = due.id and due.task_id in (select id from locked)
        and ${pastRetention(tx, 'c')}
      returning c.id
    )
    insert into purged (id) select id from gone on conflict do nothing returning id`.execute(tx)
  return gone.rows.length
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
