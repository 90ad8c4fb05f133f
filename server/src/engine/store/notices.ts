// In charge of the notices to people about runs: that a gate waits for an answer, and that a run has failed. When a gate needs
// no answer any more, the notices about it are marked as read.
import type { Db } from '../../platform/db.ts'
import { settleNotices, writeNotices } from '../../platform/notices.ts'
import type { RunRow } from './runs.ts'

type Noted = Pick<RunRow, 'id' | 'owner_id' | 'task_id'>

/** Notifies the run's owner, and the person responsible for its task, that a gate waits for an answer. */
export async function noteWaiting(tx: Db, { id, owner_id, task_id }: Noted): Promise<void> {
  const task = task_id
    ? await tx.selectFrom('tasks').select('assignee_id').where('id', '=', task_id).executeTakeFirst()
    : undefined
  const people = [owner_id, task?.assignee_id ?? null]
  await writeNotices(tx, [{ kind: 'gate_waits', people, place: id, run_id: id }])
}

export const noteAnswered = (tx: Db, { id }: Pick<Noted, 'id'>): Promise<void> => settleNotices(tx, 'gate_waits', id)

/**
 * Called when a run has ended. Notifies the owner of a failed run, unless the run was started to make a take that this owner
 * requested in a review: the owner then gets a notice about that take instead. If the run was cancelled, its gates need no
 * answers any more, so the notices about them are marked as read.
 */
export async function noteEnd(tx: Db, run: Noted, status: 'succeeded' | 'failed' | 'cancelled'): Promise<void> {
  if (status === 'failed' && !(await bringsTakeOfOwner(tx, run)))
    await writeNotices(tx, [{ kind: 'run_failed', people: [run.owner_id], place: run.id, run_id: run.id }])
  if (status === 'cancelled') await noteAnswered(tx, run)
}

async function bringsTakeOfOwner(tx: Db, { id, owner_id }: Noted): Promise<boolean> {
  const take = await tx
    .selectFrom('review_takes')
    .select('id')
    .where('run_id', '=', id)
    .where('by_user', '=', owner_id)
    .where('state', '=', 'under_way')
    .executeTakeFirst()
  return take !== undefined
}
