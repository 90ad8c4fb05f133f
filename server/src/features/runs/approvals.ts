// In charge of asking for the approval of a start that may cost more than passes without one.
import type { RunStart } from '@atelier/contract/runs.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { RunRow } from '../../engine/store/runs.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { askApproval } from '../money/store.ts'
import { type Clearing, planMoney } from './start-money.ts'

type Wanted = {
  /** Locked, and such that it can be started. */
  run: RunRow
  body: RunStart
  /** Of a new take: the comment that asks for it. */
  reviewCommentId: string | null
}

/** The approval as the API shows it. */
export async function askForApproval(tx: Db, clearing: Clearing, wanted: Wanted, actor: Actor): Promise<string> {
  const { run, body, reviewCommentId } = wanted
  const planned = await planMoney(tx, clearing, run, body)
  if (!planned?.needsApproval)
    throw new Refusal('approval_not_needed', 'This start needs no approval: start it. Nothing was asked.')
  const { digest, reserved: most } = planned
  const about = { runId: run.id, reviewCommentId, digest, body, most, currency: clearing.currency }
  return askApproval(tx, { ...about, askedBy: clearing.ownerId }, actor)
}
