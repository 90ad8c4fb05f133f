// In charge of correcting a launch that was recorded wrongly: the launch is voided, a replacement may be recorded, and everything
// that was derived from the launch is derived again.
import type { LaunchCorrection } from '@atelier/contract/launches.ts'
import { invalidAt, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { Actor } from '../../../platform/actor.ts'
import { takeNames } from '../../../platform/advisory-locks.ts'
import { type Db, Retry } from '../../../platform/db.ts'
import { insertActivity } from '../../activity/store.ts'
import { lockTasks } from '../store.ts'
import { findLaunch, forgetLaunchDates, isVoided, type LaunchRow, voidLaunch } from './correction-store.ts'
import { applyLaunches, insertLaunches, type LaunchEntry, lockUnclaimed } from './store.ts'

/** Voids the launch with this id, and records its replacement if the correction names one. */
export async function correctLaunch(tx: Db, id: string, correction: LaunchCorrection, actor: Actor): Promise<void> {
  const seen = await lockLaunch(tx, id)
  const { ad_id } = correction
  const launched_at = correction.launched_at ? new Date(correction.launched_at).toISOString() : seen.launched_at
  if (ad_id === seen.ad_id && launched_at === seen.launched_at) {
    const why = 'it is what is recorded: send another campaign id or date, or null where it never went live'
    throw invalidAt(['body', 'ad_id'], valueError(why), ad_id)
  }
  const next = ad_id === null ? null : { ...placeOf(seen), ad_id, launched_at }
  // The voided launch is removed before the replacement is added, since the two may differ only in the date. If the replacement
  // exists already, `insertLaunches` adds nothing.
  await voidLaunch(tx, actor, seen, ad_id)
  if (next) await insertLaunches(tx, actor, [next], { isCorrection: true })
  if (seen.taskId === null) return
  await forgetLaunchDates(tx, seen)
  await applyLaunches(tx, [seen.taskId])
  await insertActivity(tx, actor, [
    {
      task_id: seen.taskId,
      kind: 'launch_corrected',
      ...(seen.creative_id === null ? {} : { subject_id: seen.creative_id }),
      changes: changesOf(seen, next),
    },
  ])
}

const placeOf = ({ creative_id, task_id, name }: LaunchRow): Pick<LaunchEntry, 'creative_id' | 'task_id' | 'name'> => ({
  creative_id,
  task_id,
  name,
})

function changesOf(seen: LaunchRow, next: LaunchEntry | null): Record<string, unknown> {
  const dates = { from: seen.launched_at, to: next?.launched_at ?? null }
  return {
    ...(next?.ad_id === seen.ad_id ? {} : { ad_id: { from: seen.ad_id, to: next?.ad_id ?? null } }),
    ...(dates.from === dates.to || next === null ? {} : { launched_at: dates }),
  }
}

/**
 * Locks the task of a launch and returns the launch. A launch that still waits for a creative with its name has no task; then
 * `lockUnclaimed` keeps others from changing it, and the lock of the name keeps a creative that gets the name from missing the
 * replacement.
 */
async function lockLaunch(tx: Db, id: string): Promise<LaunchRow> {
  const seen = await findLaunch(tx, id)
  if (!seen) throw (await isVoided(tx, id)) ? corrected(id) : notFound('launch', id)
  if (seen.taskId === null) {
    await takeNames(tx, seen.name === null ? [] : [seen.name])
    await lockUnclaimed(tx)
  } else {
    const [task] = await lockTasks(tx, [seen.taskId])
    if (!task?.in_retention) throw notFound('launch', id)
  }
  const now = await findLaunch(tx, id)
  if (!now) throw corrected(id)
  if (now.taskId !== seen.taskId) throw new Retry('the launch went to a creative meanwhile')
  return now
}

const corrected = (id: string): Refusal =>
  new Refusal('launch_corrected', `The launch ${id} has been corrected already: read the launches of the task anew.`)
