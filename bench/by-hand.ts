// In charge of writing to the database what the service writes when it creates, deletes or restores a task, but without the
// service: with the same locks, checks and statements, in one transaction on one client. The statements that the service prepares
// are prepared here too.
import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { taskColumns } from '../server/src/features/tasks/json.ts'

const retentionSeconds = 30 * 86_400

/** The body of the request that the measurement `create` sends. The ids of a product and a user in it have to be looked up. */
export type NewTask = { name: string; product_id: string; assignee_id: string; media_type: string; ad_format: string }

async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const record = `select t.id, t.revision, (select row_to_json(it)::text from (select ${taskColumns}) as it) as text
  from tasks t where t.id = any($1::uuid[])`

async function readRecord(client: ClientBase, id: string): Promise<string> {
  const { rows } = await client.query<{ text: string }>({ name: 'record', text: record, values: [[id]] })
  return rows[0]?.text ?? ''
}

const lock = `select tasks.*, now_ms() as now,
    (deleted_at is null or deleted_at > now() - make_interval(secs => $2)) as in_retention
  from tasks where id in ($1) order by id for no key update`

type Locked = { now: Date; delete_id: string | null; time_in_progress_seconds: number; time_on_check_seconds: number }

async function lockTask(client: ClientBase, id: string): Promise<Locked> {
  const { rows } = await client.query<Locked>(lock, [id, retentionSeconds])
  if (!rows[0]) throw new Error(`There is no task ${id}.`)
  return rows[0]
}

const recount = `
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
    from tasks t where t.id = any($1::uuid[])
  ) as n
  where t.id = n.id
    and (t.creatives_total, t.creatives_done, t.planned_creatives_done) is distinct from (n.total, n.done, n.planned_done)`

const note = (client: ClientBase, taskId: string, kind: string) =>
  client.query({
    name: 'note',
    text: 'insert into activity (id, task_id, kind, changes) values ($1, $2, $3, $4)',
    values: [randomUUID(), taskId, kind, '{}'],
  })

/** Deletes a task with its creatives; returns the task's record as JSON text. */
export const deleteByHand = (client: ClientBase, id: string): Promise<string> =>
  inTransaction(client, async () => {
    const task = await lockTask(client, id)
    const deleteId = randomUUID()
    await client.query(
      `update creatives set deleted_at = $2, delete_id = $3, revision = revision + 1
       where id in (
         select id from creatives where task_id = $1 and deleted_at is null order by name collate "C" for no key update
       )`,
      [id, task.now, deleteId],
    )
    await client.query(
      `update tasks set deleted_at = $2, delete_id = $3, time_in_progress_seconds = $4, time_on_check_seconds = $5,
         revision = revision + 1, updated_at = $2
       where id = $1`,
      [id, task.now, deleteId, task.time_in_progress_seconds, task.time_on_check_seconds],
    )
    await client.query(recount, [[id]])
    await note(client, id, 'task_deleted')
    return readRecord(client, id)
  })

const conflicts = `
  select c.id as creative_id, c.name, taker.id as taken_by, taker.task_id as taken_by_task_id
  from creatives c join creatives taker on taker.name = c.name and taker.deleted_at is null
  where c.task_id = $1 and c.delete_id = $2
  union all
  select c.id, c.name, twin.id, twin.task_id
  from creatives c
  join creatives twin on twin.task_id = c.task_id and twin.delete_id = c.delete_id and twin.name = c.name
    and twin.id < c.id
  where c.task_id = $1 and c.delete_id = $2
  order by 2, 1`

/** Restores a task with its creatives; returns the task's record as JSON text. */
export const restoreByHand = (client: ClientBase, id: string): Promise<string> =>
  inTransaction(client, async () => {
    const task = await lockTask(client, id)
    const { rows } = await client.query(conflicts, [id, task.delete_id])
    if (rows.length > 0) throw new Error('The names of a task to restore are taken.')
    await client.query(
      `with mine as materialized (
         select id from creatives where task_id = $1 and delete_id = $2 order by name collate "C" for no key update
       )
       update creatives c set deleted_at = null, delete_id = null, revision = revision + 1
       from mine where c.id = mine.id`,
      [id, task.delete_id],
    )
    await client.query(
      `update tasks set deleted_at = null, delete_id = null, status_entered_at = $2,
         revision = revision + 1, updated_at = $2
       where id = $1`,
      [id, task.now],
    )
    await client.query(recount, [[id]])
    await note(client, id, 'task_restored')
    return readRecord(client, id)
  })

/** Creates a task; returns the task's record as JSON text. */
export const createByHand = (client: ClientBase, task: NewTask): Promise<string> =>
  inTransaction(client, async () => {
    const { product_id: productId, assignee_id: assigneeId } = task
    await client.query({ name: 'product', text: 'select id from products where id in ($1)', values: [productId] })
    await client.query({ name: 'person', text: 'select id from users where id in ($1)', values: [assigneeId] })
    const { rows } = await client.query<{ number: number; now: Date }>({
      name: 'number',
      text: `select nextval('task_number')::integer as number, now_ms() as now`,
    })
    const product = await client.query<{ code: string }>({
      name: 'code',
      text: 'select code from products where id in ($1)',
      values: [productId],
    })
    const id = randomUUID()
    const generated = `T${rows[0]?.number}_${product.rows[0]?.code}_${task.media_type}_${task.ad_format}`
    const searched = `${task.name}\n${generated}`.toLowerCase()
    await client.query({
      name: 'insert',
      text: `insert into tasks (id, number, name, generated_name, search_text, product_id, assignee_id, media_type, ad_format,
         status_entered_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $10)`,
      values: [
        ...[id, rows[0]?.number, task.name, generated, searched, productId, assigneeId],
        ...[task.media_type, task.ad_format, rows[0]?.now],
      ],
    })
    await note(client, id, 'task_created')
    return readRecord(client, id)
  })
