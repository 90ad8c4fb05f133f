// In charge of recording every change that somebody makes to a task, and of listing these changes (the activity of the task).
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Actor, authorOf } from '../../platform/actor.ts'
import type { Position } from '../../platform/cursor.ts'
import { type Db, kept, tellChanged } from '../../platform/db.ts'

export type ActivityEntry = {
  task_id: string
  kind: string
  changes?: Record<string, unknown>
  subject_id?: string
}

/** Records who changed what; if that was a guest, `changes` names the guest. Called in the transaction that makes the change. */
export async function insertActivity(tx: Db, actor: Actor, entries: ActivityEntry[]): Promise<void> {
  if (entries.length === 0) return
  const { by_user, by_token } = authorOf(actor)
  // Columns name people, tokens and automations as the author, but no guests.
  const guest = actor.guest && actor.automation === undefined ? { guest: { from: null, to: actor.guest.name } } : {}
  const of = <T>(member: (entry: ActivityEntry) => T): T[] => entries.map(member)
  await sql`${sql.raw(kept('insert_activity'))}
    insert into activity (id, task_id, kind, subject_id, changes, by_user, by_token, by_automation)
    select id, task_id, kind, subject_id, changes::jsonb, ${by_user}::uuid, ${by_token}::uuid, ${actor.automation ?? null}::text
    from unnest(
      ${of(() => uuidv7())}::uuid[], ${of(({ task_id }) => task_id)}::uuid[], ${of(({ kind }) => kind)}::text[],
      ${of(({ subject_id = null }) => subject_id)}::uuid[], ${of(({ changes = {} }) => JSON.stringify({ ...changes, ...guest }))}::text[]
    ) as entry (id, task_id, kind, subject_id, changes)`.execute(tx)
  tellChanged(
    tx,
    'task',
    of(({ task_id }) => task_id),
  )
}

/** An activity entry as JSON text. `at` and `id` are the entry's time and id; together they are its position in the list. */
export type ActivityText = { id: string; at: string; text: string }

/**
 * SQL for the `Author` of the contract: the person or token that made the change. If an automation made the change on their behalf,
 * `name` names the automation. Alias `x` is the activity entry; `u` and `k` are its user and its token.
 */
const actor = `json_build_object('user_id', x.by_user, 'token_id', x.by_token,
  'name', coalesce('Automation “' || x.by_automation || '”', u.name, k.name))`

/** Lists the activity of a task, newest entries first. */
export async function listActivity(
  db: Db,
  taskId: string,
  after: Position | null,
  take: number,
): Promise<ActivityText[]> {
  const found = await sql<ActivityText>`
    select x.id, x.at, json_build_object('id', x.id, 'at', iso(x.at), 'kind', x.kind,
      'by', case when x.by_user is null and x.by_token is null and x.by_automation is null then null
        else ${sql.raw(actor)} end,
      'subject_id', x.subject_id, 'changes', x.changes)::text as text
    from activity x left join users u on u.id = x.by_user left join tokens k on k.id = x.by_token
    where x.task_id = ${taskId}
      ${after ? sql`and (x.at, x.id) < (${after.key}::timestamptz, ${after.id}::uuid)` : sql``}
    order by x.at desc, x.id desc limit ${take}`.execute(db)
  return found.rows
}
