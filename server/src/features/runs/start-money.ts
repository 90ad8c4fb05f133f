// In charge of checking the cost of starting a run against the caller's limit, the budgets, and the need for an approval.
import { amountWords } from '@atelier/contract/money.ts'
import type { RunPlan, RunStart } from '@atelier/contract/runs.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { type Clearance, decideClearance, isGuarded, type Policy, shortageWords } from '../../engine/model/clearance.ts'
import { planRun } from '../../engine/read/plan.ts'
import { currentMonth, lockAndFit, readApprovalAbove, readBudgets } from '../../engine/store/run-costs.ts'
import type { RunRow } from '../../engine/store/runs.ts'
import { type Clear, planningOf, type Starting } from '../../engine/transitions/start.ts'
import type { NodeFiles } from '../../nodes/node-type.ts'
import { canonicalJson, sha256Hex } from '../../platform/canonical-json.ts'
import type { Db } from '../../platform/db.ts'
import { consumeApproval } from '../money/store.ts'

/**
 * Limits in calls and milliseconds for a plan that is computed during a start. They are low, since the run stays locked meanwhile.
 */
const planLimits = { calls: 2000, ms: 1500 }

export type Clearing = Pick<Starting, 'types' | 'find' | 'ownerId'> & {
  files: NodeFiles
  currency: string
  outputLimit: number
}

/**
 * Returns how much a start would reserve, whether it needs an approval, and a `digest` that identifies the plan to be approved.
 * `isWhole`: whether nothing stays unknown that a plan can find out. Null if the start costs nothing, or if no budget, limit or approval applies to it.
 */
export async function planMoney(tx: Db, clearing: Clearing, run: RunRow, asked: RunStart) {
  const { ownerId: personId, currency, outputLimit, types, find, files } = clearing
  const maxCost = asked.max_cost ?? null
  const policy: Policy = {
    currency,
    isBudgeted: (await readBudgets(tx, { personId, currency })).length > 0,
    approvalAbove: await readApprovalAbove(tx),
  }
  if (!isGuarded(policy, maxCost)) return null
  const planning = await planningOf(tx, run, asked, { types, find })
  const { plan, message } = await planRun({ ...planning, currency, outputLimit, db: tx, find, files }, planLimits)
  if (plan.money.most === 0) return null
  const decided = decideClearance(plan.money, maxCost, policy)
  const standing = {
    run: run.id,
    generation: run.generation,
    signature: run.signature,
    asked,
    plan: withoutLeast(plan.nodes),
  }
  return { ...decided, isWhole: message === null, maxCost, digest: sha256Hex(canonicalJson(standing)) }
}

/**
 * What a start may cost at most, by node. What it costs at least does not belong to what is approved: it depends on the order in which
 * the nodes are written, since a call that several nodes share is counted for the first of them.
 */
const withoutLeast = (nodes: RunPlan['nodes']) =>
  Object.fromEntries(
    Object.entries(nodes).map(([id, { credits, money, ...others }]) => {
      const { least: _credits, ...mostCredits } = credits
      const { least: _money, ...mostMoney } = money
      return [id, { ...others, credits: mostCredits, money: mostMoney }]
    }),
  )

/**
 * Returns the function that checks the cost of a start: it uses the approval up, if one is needed, and locks the budgets that the
 * cost counts towards. The start calls this function before it writes anything else, and then writes the reservation that the
 * function returns.
 */
export const clearing =
  (given: Clearing): Clear =>
  async (tx, run, asked): Promise<Clearance | null> => {
    const planned = await planMoney(tx, given, run, asked)
    if (planned === null) return null
    const { currency, ownerId: personId } = given
    const { reserved, maxCost, digest } = planned
    if (planned.needsApproval && !(await consumeApproval(tx, run.id, digest)))
      throw new Refusal(
        'approval_needed',
        `This start may cost ${amountWords(reserved, currency)}, and needs an approval. Nothing was started.`,
        { digest, most: reserved },
      )
    const purse = { personId, currency, month: await currentMonth(tx) }
    // A run that waits at a gate still has the reservation of its last start, which this start releases.
    const short = await lockAndFit(tx, purse, reserved, run.id)
    if (short) throw new Refusal('budget_exceeded', `${shortageWords(short, purse, reserved)} Nothing was started.`)
    return { purse, reserved, maxCost }
  }
