// In charge of the SQL for the automations that are under way, and for what cards show about them. Callers that write have locked
// the tasks that they name; `followRuns` locks its tasks itself. Nothing here changes the ETag of a task, which protects only what
// people edit.
import { type Selectable, sql } from 'kysely'
import { type Db, tellChanged } from '../../platform/db.ts'
import type { LiveAutomationsTable, Stamp } from '../../platform/tables.ts'
import type { AutomationRow } from './store.ts'

export type LiveAutomation = Selectable<LiveAutomationsTable>

/**
 * SQL for whether the run of an automation is queued or running and its time limit of `seconds` is over. Alias `t` is the task of
 * the automation, alias `r` is the run. A run that waits at a gate is never overdue.
 */
const isOverdue = (seconds: number) => sql<boolean>`
  (t.automation_state in ('pending', 'running') and r.status in ('queued', 'running')
    and t.automation_started_at < now() - make_interval(secs => ${seconds}))`

export type Busy = { task_id: string; run_id: string; name: string; owner_id: string; dead: boolean }

/**
 * Returns the automations that are under way for these tasks. `dead`: the run of the automation is overdue, so another automation
 * may replace it.
 */
export async function readBusy(tx: Db, taskIds: readonly string[], timeoutSeconds: number): Promise<Busy[]> {
  const found = await sql<Busy>`
    select a.task_id, a.run_id, a.name, a.owner_id, coalesce(${isOverdue(timeoutSeconds)}, false) as dead
    from live_automations a join tasks t on t.id = a.task_id left join runs r on r.id = a.run_id
    where a.task_id = any(${[...taskIds]}::uuid[])`.execute(tx)
  return found.rows
}

/** Records which run was started for which task, and removes the automations that have been under way for these tasks until now. */
export async function insertLive(
  tx: Db,
  { id, name, outputs, to_status, owner_id }: AutomationRow,
  started: readonly { taskId: string; runId: string }[],
  at: Stamp,
): Promise<void> {
  const taskIds = started.map(({ taskId }) => taskId)
  await deleteLive(tx, taskIds)
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

/**
 * Removes the automations that are under way for these tasks, so that nothing is delivered when their runs end. What the cards show
 * is up to the caller.
 */
export async function deleteLive(tx: Db, taskIds: readonly string[]): Promise<void> {
  if (taskIds.length === 0) return
  await tx.deleteFrom('live_automations').where('task_id', 'in', taskIds).execute()
}

/** Shows on the cards of these tasks why no run could be started. */
export async function setNotStarted(tx: Db, taskIds: readonly string[], error: string): Promise<void> {
  await sql`
    update tasks set automation_state = 'failed', automation_error = ${error}, automation_started_at = null,
      automation_ran_at = now_ms()
    where id = any(${[...taskIds]}::uuid[])`.execute(tx)
  tellChanged(tx, 'task', taskIds)
}

/** SQL for the state that a card shows while the run (alias `r`) has not ended. */
const stateOfRun = sql`case r.status when 'queued' then 'pending' else r.status end`
const isUnderWay = sql`r.deleted_at is null and r.status in ('queued', 'running', 'awaiting_input')`

/**
 * Copies the state of each automation's run to the card of its task. When a run continues after a gate, the automation's time limit
 * starts again from zero. The tasks are locked by a separate statement, so that the update reads their latest state. Tasks that
 * another transaction has locked are left for a later call.
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

/** An automation whose run has ended. `started_at`: when its time limit began. */
export type EndedAutomation = { task_id: string; run_id: string; started_at: Stamp }

/**
 * Returns automations whose run has ended, is overdue, was changed back to a draft, or was deleted. The automation whose time limit
 * began earliest comes first. `after`: returns only automations that come after this one; undefined: begins with the first.
 */
export async function readEnded(
  db: Db,
  timeoutSeconds: number,
  take: number,
  after: EndedAutomation | undefined,
): Promise<EndedAutomation[]> {
  const found = await sql<EndedAutomation>`
    select a.task_id, a.run_id, t.automation_started_at as started_at
    from live_automations a join tasks t on t.id = a.task_id left join runs r on r.id = a.run_id
    where (r.id is null or r.deleted_at is not null or r.status not in ('queued', 'running', 'awaiting_input')
        or ${isOverdue(timeoutSeconds)})
      ${after ? sql`and (t.automation_started_at, a.task_id) > (${after.started_at}::timestamptz, ${after.task_id}::uuid)` : sql``}
    order by t.automation_started_at, a.task_id limit ${take}`.execute(db)
  return found.rows
}

/** Returns the automation that is under way for the task, provided that its run is `runId`; otherwise undefined. */
export async function readLive(tx: Db, taskId: string, runId: string): Promise<LiveAutomation | undefined> {
  return tx
    .selectFrom('live_automations')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('run_id', '=', runId)
    .executeTakeFirst()
}

/** Ends the automation that is under way for a locked task, and shows the outcome on the task's card. */
export async function endLive(
  tx: Db,
  taskId: string,
  state: 'succeeded' | 'failed',
  error: string | null,
): Promise<void> {
  await deleteLive(tx, [taskId])
  await sql`
    update tasks set automation_state = ${state}, automation_error = ${error}, automation_ran_at = now_ms()
    where id = ${taskId}`.execute(tx)
  tellChanged(tx, 'task', taskId)
}
