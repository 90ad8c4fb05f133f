// In charge of the statements on what automations have under way, and on what cards say of it. Who writes here has
// locked the tasks. None of it changes an ETag: it is derived from runs.
import { type Selectable, sql } from 'kysely'
import { type Db, tellChanged } from '../../platform/db.ts'
import type { LiveAutomationsTable, Stamp } from '../../platform/tables.ts'
import type { AutomationRow } from './store.ts'

export type LiveAutomation = Selectable<LiveAutomationsTable>

/** A run that is at work past its time, of aliases `t` and `r`. A parked one has all the time there is. */
const isOverdue = (seconds: number) => sql<boolean>`
  (t.automation_state in ('pending', 'running') and r.status in ('queued', 'running')
    and t.automation_started_at < now() - make_interval(secs => ${seconds}))`

export type Busy = { task_id: string; run_id: string; name: string; owner_id: string; dead: boolean }

/** What is under way for these tasks. `dead`: past its time, so that another may take its place. */
export async function readBusy(tx: Db, taskIds: readonly string[], timeoutSeconds: number): Promise<Busy[]> {
  const found = await sql<Busy>`
    select a.task_id, a.run_id, a.name, a.owner_id, coalesce(${isOverdue(timeoutSeconds)}, false) as dead
    from live_automations a join tasks t on t.id = a.task_id left join runs r on r.id = a.run_id
    where a.task_id = any(${[...taskIds]}::uuid[])`.execute(tx)
  return found.rows
}

/** Tasks and the runs that have been started for them: what was under way there before is forgotten. */
export async function insertLive(
  tx: Db,
  { id, name, outputs, to_status, owner_id }: AutomationRow,
  started: readonly { taskId: string; runId: string }[],
  at: Stamp,
): Promise<void> {
  const taskIds = started.map(({ taskId }) => taskId)
  await tx.deleteFrom('live_automations').where('task_id', 'in', taskIds).execute()
  await sql`
    insert into live_automations (task_id, run_id, automation_id, name, outputs, to_status, owner_id, entered_at)
    select t.id, x.run_id, ${id}::uuid, ${name}, ${JSON.stringify(outputs)}::json, ${to_status}::task_status,
      ${owner_id}::uuid, t.status_entered_at
    from unnest(${taskIds}::uuid[], ${started.map(({ runId }) => runId)}::uuid[]) as x (task_id, run_id)
    join tasks t on t.id = x.task_id`.execute(tx)
  await sql`
    update tasks set automation_state = 'pending', automation_error = null, automation_started_at = ${at}
    where id = any(${taskIds}::uuid[])`.execute(tx)
  tellChanged(tx, 'task', taskIds)
}

/** Tells that a run could not even be enqueued. */
export async function setNotStarted(tx: Db, taskIds: readonly string[], error: string): Promise<void> {
  await sql`
    update tasks set automation_state = 'failed', automation_error = ${error}, automation_started_at = null,
      automation_ran_at = now_ms()
    where id = any(${[...taskIds]}::uuid[])`.execute(tx)
  tellChanged(tx, 'task', taskIds)
}

/** What a card says of a run that has not ended, of alias `r`. */
const stateOfRun = sql`case r.status when 'queued' then 'pending' else r.status end`
const isUnderWay = sql`r.deleted_at is null and r.status in ('queued', 'running', 'awaiting_input')`

/**
 * Has cards say how their runs stand. From a gate a run comes back as enqueued anew: its time begins again. The tasks are
 * locked first, by a statement of their own, so that what is written is how things stand under the lock.
 */
export async function followRuns(tx: Db): Promise<void> {
  const locked = await sql<{ id: string }>`
    select t.id from tasks t join live_automations a on a.task_id = t.id join runs r on r.id = a.run_id
    where ${isUnderWay} and t.automation_state is distinct from ${stateOfRun}
    order by t.id for no key update of t skip locked`.execute(tx)
  if (locked.rows.length === 0) return
  const changed = await sql<{ id: string }>`
    update tasks t set automation_state = ${stateOfRun},
      automation_started_at = case when t.automation_state = 'awaiting_input' then r.queued_at else t.automation_started_at end
    from live_automations a join runs r on r.id = a.run_id
    where a.task_id = t.id and t.id = any(${locked.rows.map(({ id }) => id)}::uuid[])
      and ${isUnderWay} and t.automation_state is distinct from ${stateOfRun}
    returning t.id`.execute(tx)
  tellChanged(
    tx,
    'task',
    changed.rows.map(({ id }) => id),
  )
}

/** What is over, or past its time: the longest first. */
export async function readEnded(
  db: Db,
  timeoutSeconds: number,
  take: number,
): Promise<{ task_id: string; run_id: string }[]> {
  const found = await sql<{ task_id: string; run_id: string }>`
    select a.task_id, a.run_id
    from live_automations a join tasks t on t.id = a.task_id left join runs r on r.id = a.run_id
    where r.id is null or r.deleted_at is not null or r.status not in ('queued', 'running', 'awaiting_input')
      or ${isOverdue(timeoutSeconds)}
    order by t.automation_started_at, a.task_id limit ${take}`.execute(db)
  return found.rows
}

/** The row of a locked task, unless it is of another run by now. */
export async function readLive(tx: Db, taskId: string, runId: string): Promise<LiveAutomation | undefined> {
  return tx
    .selectFrom('live_automations')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('run_id', '=', runId)
    .executeTakeFirst()
}

/** Ends what is under way for a locked task, and has its card tell how. */
export async function endLive(
  tx: Db,
  taskId: string,
  state: 'succeeded' | 'failed',
  error: string | null,
): Promise<void> {
  await tx.deleteFrom('live_automations').where('task_id', '=', taskId).execute()
  await sql`
    update tasks set automation_state = ${state}, automation_error = ${error}, automation_ran_at = now_ms()
    where id = ${taskId}`.execute(tx)
  tellChanged(tx, 'task', taskId)
}
