// In charge of the SQL that reads and writes single tasks. The SQL of the feeds is in the folder feed.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import type { TaskPatch } from '@atelier/contract/tasks.ts'
import type { Refusal } from '@atelier/contract/wire/errors.ts'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Actor } from '../../platform/actor.ts'
import { type Db, kept, tellChanged } from '../../platform/db.ts'
import { type JsonText, json } from '../../platform/http/answer.ts'
import { inRetention } from '../../platform/retention.ts'
import { keysOf } from '../../platform/rows.ts'
import type { Stamp, Tables } from '../../platform/tables.ts'
import type { TaskRow } from './changes.ts'
import { creativeItemColumns, taskColumns } from './json.ts'

/** A locked task. `now`: the time of the database; `in_retention`: whether the task is not deleted, or can still be restored. */
export type LockedTask = TaskRow & { now: Stamp; in_retention: boolean }

/**
 * Locks tasks in the order of their ids, so that two transactions that lock several tasks cannot deadlock. The lock is `no key
 * update`, which still lets others add rows that refer to a task.
 */
export async function lockTasks(tx: Db, ids: readonly string[]): Promise<LockedTask[]> {
  if (ids.length === 0) return []
  return tasksOf(tx, ids).forNoKeyUpdate().execute()
}

const tasksOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('tasks')
    .selectAll()
    .select([sql<Stamp>`now_ms()`.as('now'), inRetention(db, 'tasks').as('in_retention')])
    .where('id', 'in', [...ids])
    .orderBy('id')

export async function lockTask(tx: Db, id: string): Promise<LockedTask | undefined> {
  return (await lockTasks(tx, [id]))[0]
}

/** Returns the same as `lockTask` without locking the task, for callers that only read. */
export async function seeTask(db: Db, id: string): Promise<LockedTask | undefined> {
  return tasksOf(db, [id]).executeTakeFirst()
}

/** Returns the same as `lockTasks` without locking the tasks, for callers that have locked them. */
export const seeTasks = (tx: Db, ids: readonly string[]): Promise<LockedTask[]> => tasksOf(tx, ids).execute()

/**
 * Draws the number of a new task. Returns it with the time of creation, and with the product's code (null: there is no product).
 * The subquery hides the product's id from the planner, which otherwise plans the statement anew for each task without a product.
 */
export async function drawNumber(
  tx: Db,
  productId: string | null,
): Promise<{ number: number; now: Stamp; product: string | null }> {
  const drawn = await sql<{ number: number; now: Stamp; product: string | null }>`${sql.raw(kept('draw_number'))}
    select nextval('task_number')::integer as number, now_ms() as now,
      (select code from products where id = (select ${productId}::uuid)) as product`.execute(tx)
  const [row] = drawn.rows
  if (!row) throw new Error('The task number sequence gave no row.')
  return row
}

const jsonColumns = new Set(['landing', 'funnel', 'cpp', 'variants'])

/** Converts values to the form that the drivers need: jsonb as text. A null becomes an SQL null, not a JSON null. */
const forColumns = (row: Partial<TaskRow>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      jsonColumns.has(name) && value !== null && value !== undefined ? JSON.stringify(value) : value,
    ]),
  )

/**
 * Adds a task. `row` has all columns except computed ones, always in the same order, so that the SQL is always the same and can be
 * prepared. Building it with the query builder would take longer, because there are seventy columns (docs/benchmarks.md).
 */
export async function insertTask(tx: Db, row: Partial<TaskRow>): Promise<void> {
  const columns = forColumns(row)
  const names = Object.keys(columns)
  const places = names.map((_, at) => `$${at + 1}`)
  const text = `${kept('insert_task')}insert into tasks (${names.join(', ')}) values (${places.join(', ')})`
  await tx.executeQuery(CompiledQuery.raw(text, Object.values(columns)))
  if (row.id !== undefined) tellChanged(tx, 'task', row.id)
}

/** Writes the changed columns, and raises the task's revision and `updated_at`. */
export async function updateTask(tx: Db, id: string, changed: Partial<TaskRow>, now: Stamp): Promise<void> {
  await untyped(tx)
    .updateTable('tasks')
    .set({ ...forColumns(changed), revision: sql`revision + 1`, updated_at: now })
    .where('id', '=', id)
    .execute()
  tellChanged(tx, 'task', id)
}

/**
 * Drops the types of the columns, since Kysely cannot check columns whose names are computed, like those of an update.
 */
const untyped = (tx: Db) => tx as unknown as Kysely<Record<keyof Tables, Record<string, unknown>>>

/** A task's full record as JSON text. */
export type TaskText = { id: string; revision: number; text: string }

/** SQL of a task's full record as JSON text. */
export const recordText = sql.raw(`(select row_to_json(record)::text from (select ${taskColumns}) as record)`)

const textColumns = sql`t.id, t.revision, ${recordText} as text`

/**
 * Returns full records with their revisions, in the order of `ids`. The SQL is a prepared statement, which takes 1.2 ms; if it is
 * planned at each call, it takes 2.0 ms (medians of 300 reads with 300,000 tasks, at a load average of 8).
 */
export async function readTasks(db: Db, ids: readonly string[]): Promise<TaskText[]> {
  const asked = keysOf(ids, 'uuid')
  const found = await sql<TaskText>`${asked.begin('task_records')}
    select ${textColumns} from tasks t where t.id ${asked.is}`.execute(db)
  const byId = new Map(found.rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id.toLowerCase()) ?? [])
}

/** Returns the record of a task that this transaction has written or locked. Throws if there is no such task. */
export async function theTask(tx: Db, id: string): Promise<TaskText> {
  const [task] = await readTasks(tx, [id])
  if (!task) throw new Error(`The task ${id} is gone from its own transaction.`)
  return task
}

/** Whether there is a task that was not deleted longer ago than the retention window. For callers that need nothing of its record. */
export async function hasTask(db: Db, id: string): Promise<boolean> {
  const found = await sql`${sql.raw(kept('has_task'))}
    select t.id from tasks t where t.id = ${id} and ${inRetention(db, 't')}`.execute(db)
  return found.rows.length > 0
}

/**
 * Returns the record of a task, unless the task was deleted longer ago than the retention window. A record may have megabytes:
 * requests read it by `readTaskInTurn`.
 */
export async function readTask(db: Db, id: string): Promise<TaskText | undefined> {
  const found = await sql<TaskText>`${sql.raw(kept('task_record_in_retention'))}
    select ${textColumns} from tasks t where t.id = ${id} and ${inRetention(db, 't')}`.execute(db)
  return found.rows[0]
}

/**
 * Returns the TaskIncludes of a task as JSON text: its users and product, the creatives from which the task is derived, and the
 * task's own creatives.
 */
export async function readIncludes(db: Db, id: string): Promise<JsonText> {
  const found = await sql<{ text: string }>`
    with task as (select * from tasks where id = ${id}),
    own as (
      select * from creatives
      where task_id = ${id} and delete_id is not distinct from (select delete_id from task)
    ),
    lineage as (
      select c.* from creatives c, task t where c.id = t.origin_creative_id or c.id = any(t.source_creative_ids)
    ),
    people as (
      select u.id, json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'image_url', u.image_url) as it
      from users u
      where u.id in (
        select unnest(array[assignee_id, task_owner_id])
        from (
          select assignee_id, task_owner_id from task
          union all select assignee_id, task_owner_id from own
          union all select assignee_id, task_owner_id from lineage
        ) as named
      )
    )
    select json_build_object(
      'users', coalesce((select json_object_agg(id, it) from people), '{}'),
      'products', coalesce((select json_object_agg(p.id, json_build_object('id', p.id, 'name', p.name))
        from products p join task t on t.product_id = p.id), '{}'),
      'creatives', coalesce((select json_object_agg(c.id, (
        select row_to_json(item) from (select ${sql.raw(creativeItemColumns)}) as item)) from lineage c), '{}'),
      'task_creatives', coalesce((select json_agg((
        select row_to_json(item) from (select ${sql.raw(creativeItemColumns)}) as item) order by c.name collate "C") from own c), '[]')
    )::text as text`.execute(db)
  return json(found.rows[0]?.text ?? '{}')
}

/**
 * Counts each task's creatives, without deleted ones, and stores the numbers. They are counted anew each time, because numbers that
 * are only incremented could become wrong. Since they are derived, `revision` and `updated_at` do not change.
 */
export async function refreshCounts(tx: Db, ids: readonly string[]): Promise<void> {
  const counted = keysOf(ids, 'uuid')
  await sql`${counted.begin('count_creatives')}
    update tasks t
    set creatives_total = n.total, creatives_done = n.done, planned_creatives_done = n.planned_done
    from (
      select t.id,
        (select count(*)::integer from creatives c where c.task_id = t.id and c.deleted_at is null) as total,
        (select count(*)::integer from creatives c where c.task_id = t.id and c.deleted_at is null and c.done) as done,
        array(
          select planned.name
          from unnest(t.planned_creative_names) with ordinality as planned (name, position)
          join creatives c on c.task_id = t.id and c.name = planned.name and c.deleted_at is null and c.done
          order by planned.position
        ) as planned_done
      from tasks t where t.id ${counted.is}
    ) as n
    where t.id = n.id
      and (t.creatives_total, t.creatives_done, t.planned_creatives_done) is distinct from (n.total, n.done, n.planned_done)
  `.execute(tx)
  tellChanged(tx, 'task', ids)
}

/**
 * Starts the automations of a status. Called in the transaction in which a person or token creates tasks with this status, or moves
 * locked tasks to it. Returns whether the automations may have changed the tasks. The wiring passes this function in.
 */
export type Entering = (tx: Db, taskIds: readonly string[], status: TaskStatus, actor: Actor) => Promise<boolean>

/**
 * Checks whether the creatives of locked tasks allow a patch. Returns the refusals by task id; tasks whose creatives allow it are
 * left out. The wiring passes this function in.
 */
export type Barring = (
  tx: Db,
  tasks: readonly LockedTask[],
  patch: Pick<TaskPatch, 'status' | 'geo'>,
) => Promise<ReadonlyMap<string, Refusal>>

/** Returns the codes of products by product id. Products that do not exist are left out. */
export async function readProductCodes(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('products')
    .select(['id', 'code'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, code }) => [id, code]))
}

/** The ids to look up in each table. */
export type IdsByTable = Record<'users' | 'products' | 'creatives', readonly string[]>

/** Returns which of the ids exist in their table, as `table/id`. */
export async function existing(db: Db, { users, products, creatives }: IdsByTable): Promise<Set<string>> {
  if (users.length + products.length + creatives.length === 0) return new Set()
  const found = await sql<{ key: string }>`${sql.raw(kept('existing'))}
    select 'users/' || id as key from users where id = any(${[...users]}::uuid[])
    union all select 'products/' || id from products where id = any(${[...products]}::uuid[])
    union all select 'creatives/' || id from creatives where id = any(${[...creatives]}::uuid[])`.execute(db)
  return new Set(found.rows.map(({ key }) => key))
}
