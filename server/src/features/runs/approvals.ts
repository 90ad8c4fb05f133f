// In charge of requesting an approval for starting a run, if the start may cost more than is allowed without an approval, and of
// finding out whether the plan that an approval was requested for still holds.
import type { RunStart } from '@atelier/contract/runs.ts'
import { Invalid, Refusal } from '@atelier/contract/wire/errors.ts'
import { type RunRow, seeRun } from '../../engine/store/runs.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { askApproval, type Undecided } from '../money/store.ts'
import { type Clearing, planMoney } from './start-money.ts'

type Wanted = {
  /** A locked run that is in a state in which it can be started. */
  run: RunRow
  body: RunStart
  /** The id of the review comment for whose take the run is started; null if the start is not for a take of a review. */
  reviewCommentId: string | null
}

/** Requests an approval and returns it as JSON text in the form of the API. Throws if the start needs no approval. */
export async function askForApproval(tx: Db, clearing: Clearing, wanted: Wanted, actor: Actor): Promise<string> {
  const { run, body, reviewCommentId } = wanted
  const planned = await planMoney(tx, clearing, run, body)
  if (!planned?.needsApproval)
    throw new Refusal('approval_not_needed', 'This start needs no approval: start it. Nothing was asked.')
  const { digest, reserved: most } = planned
  const about = { run, reviewCommentId, digest, body, most, currency: clearing.currency }
  return askApproval(tx, { ...about, askedBy: clearing.ownerId }, actor)
}

/**
 * Whether the plan that an approval was requested for no longer holds, for example because prices have changed, so that the start
 * would be refused although it is approved. If the start needs no approval any more, a decision does no harm. Nor does it if no
 * whole plan can be made now, for example in the time that there is: what was not found out is not a change of what was asked for, and
 * the start itself says why it is refused, such as that a price is not known.
 */
export async function hasOtherPlan(
  db: Db,
  clearing: Omit<Clearing, 'ownerId'>,
  { runId, askedBy, digest, body }: Undecided,
): Promise<boolean> {
  const run = await seeRun(db, runId)
  if (!run) return false
  try {
    const planned = await planMoney(db, { ...clearing, ownerId: askedBy }, run, body)
    return planned?.isWhole === true && planned.needsApproval && planned.digest !== digest
  } catch (error) {
    if (error instanceof Invalid || error instanceof Refusal) return false
    throw error
  }
}
