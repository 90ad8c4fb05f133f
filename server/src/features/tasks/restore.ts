// In charge of deleting and restoring tasks. A task is deleted together with its creatives, and restored with exactly the creatives
// that were deleted together with it.
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../platform/actor.ts'
import { type Db, isUniqueViolation, Retry } from '../../platform/db.ts'
import { tellReadersAbout } from '../../platform/notices.ts'
import { goneOrUnknown, retentionOver } from '../../platform/retention.ts'
import { insertActivity } from '../activity/store.ts'
import { deleteCreativesOf, findConflicts, restoreCreativesOf, startWork } from './creatives/store.ts'
import { claimLaunches } from './launches/store.ts'
import { type LockedTask, lockTask, refreshCounts, updateTask } from './store.ts'
import { settleTime } from './workflow.ts'

type RestoreDecision = 'restore' | 'already_live' | 'retention_over'

/** Decides whether a task can be restored. The names of its creatives are checked later. Pure. */
function decideRestore(task: Pick<LockedTask, 'deleted_at' | 'in_retention'>): RestoreDecision {
  if (task.deleted_at === null) return 'already_live'
  return task.in_retention ? 'restore' : 'retention_over'
}

/** Deletes a task, and its creatives that are not deleted yet, under one delete id. Does nothing if the task is deleted already. */
export async function deleteTask(tx: Db, task: LockedTask, actor: Actor): Promise<void> {
  if (task.deleted_at !== null) return
  const deleteId = uuidv7()
  await deleteCreativesOf(tx, task.id, deleteId, task.now)
  const { time_in_progress_seconds, time_on_check_seconds } = settleTime(task, task.now)
  await updateTask(
    tx,
    task.id,
    { deleted_at: task.now, delete_id: deleteId, time_in_progress_seconds, time_on_check_seconds },
    task.now,
  )
  await refreshCounts(tx, [task.id])
  await insertActivity(tx, actor, [{ task_id: task.id, kind: 'task_deleted' }])
  await tellReadersAbout(tx, 'task_id', task.id)
}

/**
 * Restores a deleted task. If names of its creatives are in use by now, throws a refusal that lists all creatives with such names.
 */
export async function restoreTask(
  tx: Db,
  id: string,
  actor: Actor,
  requireMatch: (revision: number) => void,
): Promise<void> {
  const task = await lockTask(tx, id)
  if (!task) throw await goneOrUnknown(tx, 'task', id)
  const decision = decideRestore(task)
  if (decision === 'retention_over') throw retentionOver('task')
  requireMatch(task.revision)
  if (decision === 'restore') await bringBack(tx, task, actor, task.delete_id ?? '')
}

async function bringBack(tx: Db, task: LockedTask, actor: Actor, deleteId: string): Promise<void> {
  await refuseConflicts(tx, task, deleteId)
  const names = await restoreCreativesOf(tx, task.id, deleteId).catch((error: unknown) => {
    // Another request took a name after `refuseConflicts`. `Retry` repeats the transaction, whose check then reports all conflicts.
    if (isUniqueViolation(error, 'creatives_live_name')) throw new Retry('a name was taken meanwhile', { cause: error })
    throw error
  })
  await updateTask(tx, task.id, { deleted_at: null, delete_id: null, status_entered_at: task.now }, task.now)
  await keepAutomation(tx, task)
  if (task.status === 'in_progress') await startWork(tx, [task.id], task.now)
  await refreshCounts(tx, [task.id])
  await claimLaunches(tx, task, names)
  await insertActivity(tx, actor, [{ task_id: task.id, kind: 'task_restored' }])
  await tellReadersAbout(tx, 'task_id', task.id)
}

/**
 * The automation that is under way for a task moves the task at the end, but only if the task's `status_entered_at` is still what the
 * automation noted as `entered_at`: a different one means that somebody has moved the task meanwhile. A restore changes
 * `status_entered_at` without moving the task, so it changes the note too, unless the task had been moved before. Only callers that
 * have locked the task write this row, as here.
 */
async function keepAutomation(tx: Db, { id, status_entered_at, now }: LockedTask): Promise<void> {
  await sql`
    update live_automations set entered_at = ${now}
    where task_id = ${id} and entered_at = ${status_entered_at}`.execute(tx)
}

async function refuseConflicts(tx: Db, task: LockedTask, deleteId: string): Promise<void> {
  const conflicts = await findConflicts(tx, task.id, deleteId)
  if (conflicts.length === 0) return
  throw new Refusal(
    'creative_name_taken',
    `Task ${task.number} cannot come back: ${takenWords(conflicts.map(({ name }) => name))} now. ` +
      'Rename the creative of this task (PATCH /creatives/{id}) or the other one, then restore again.',
    { conflicts },
  )
}

/** Says that other creatives have these names; of more than three names, the first three are named. Pure. */
function takenWords(names: readonly string[]): string {
  const quoted = names.slice(0, 3).map((name) => `“${name}”`)
  if (names.length > 3) quoted.push(`${names.length - 3} more`)
  const last = quoted.pop()
  return quoted.length === 0
    ? `the name ${last} belongs to another creative`
    : `the names ${quoted.join(', ')} and ${last} belong to other creatives`
}
