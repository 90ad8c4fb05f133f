// In charge of the SQL that only the demo needs: checking for tasks, adding its users and products, and moving dates into the past.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Stamp } from '../../platform/tables.ts'
import { insertUser } from '../people/store.ts'
import { insertProduct } from '../products/store.ts'

export async function hasTasks(tx: Db): Promise<boolean> {
  return (await tx.selectFrom('tasks').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function readNow(tx: Db): Promise<Stamp> {
  const { rows } = await sql<{ now: Stamp }>`select now_ms() as now`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('The database did not tell the time.')
  return row.now
}

/**
 * Adds a user who joined at `since`, and returns the user's id. If there is a user with the same e-mail address already, for
 * example from an earlier demo, that user is left unchanged, and their id is returned.
 */
export async function ensurePerson(tx: Db, person: { name: string; email: string }, since: Stamp): Promise<string> {
  const known = await tx.selectFrom('users').select('id').where('email', '=', person.email).executeTakeFirst()
  if (known) return known.id
  const id = await insertUser(tx, { ...person, role: 'writer' })
  await tx.updateTable('users').set({ created_at: since, updated_at: since }).where('id', '=', id).execute()
  return id
}

/**
 * Adds a product that was created at `since`. If a product has the same name or code already, that product is returned unchanged.
 */
export async function ensureProduct(
  tx: Db,
  product: { name: string; code: string },
  since: Stamp,
): Promise<{ id: string; code: string }> {
  const added = await insertProduct(tx, product)
  const found = await tx
    .selectFrom('products')
    .select(['id', 'code'])
    .where((where) => where.or([where('code', '=', product.code), where('name', '=', product.name)]))
    .executeTakeFirstOrThrow()
  if (added !== null) await tx.updateTable('products').set({ created_at: since }).where('id', '=', found.id).execute()
  return found
}

/** Makes a task look as if it had been created at `at`, in its present status and without later changes. */
export async function backdateTask(tx: Db, id: string, at: Stamp): Promise<void> {
  await tx
    .updateTable('tasks')
    .set({ created_at: at, updated_at: at, status_entered_at: at })
    .where('id', '=', id)
    .execute()
}

/**
 * Where a step begins in the activity of a task: the activity entries of the step have ids above `from`, and their time should be
 * `at`.
 */
export type Mark = { task_id: string; from: string; at: Stamp }

/**
 * Gives activity entries the times of their steps, since the entries were written with the present time. The ids that one process
 * makes only rise; so an entry belongs to the mark with the highest `from` below the entry's id.
 */
export async function backdateActivity(tx: Db, marks: readonly Mark[]): Promise<void> {
  const column = (name: keyof Mark) => marks.map((mark) => mark[name])
  await sql`
    with marks as (
      select task_id, at, id, lead(id) over (order by id) as next_id
      from unnest(${column('task_id')}::uuid[], ${column('from')}::uuid[], ${column('at')}::timestamptz[])
        as m (task_id, id, at)
    )
    update activity a set at = m.at from marks m
    where a.task_id = m.task_id and a.id > m.id and (m.next_id is null or a.id < m.next_id)`.execute(tx)
}

/**
 * Gives rollups and launches the times of the steps that caused them. Only those recorded at `from` or later are changed, because
 * these are the ones that the demo has just written.
 */
export async function backdateRecords(tx: Db, from: Stamp): Promise<void> {
  await sql`update creatives set rolled_up_at = updated_at where rolled_up_at >= ${from}`.execute(tx)
  await sql`update launches set recorded_at = launched_at where recorded_at >= ${from}`.execute(tx)
}
