// In charge of requesting an approval for starting a run, if the start may cost more than is allowed without an approval.
import type { RunStart } from '@atelier/contract/runs.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { RunRow } from '../../engine/store/runs.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { askApproval } from '../money/store.ts'
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
