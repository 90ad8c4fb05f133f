// In charge of deciding whether a call may be paid for, from the cost limit of the run's start, from budgets, and from the
// amount above which a start needs an approval. If an automation started the run, or nothing limited its start, nothing
// was reserved then, so each call reserves its cost before it is made.
import { amountWords } from '@atelier/contract/money.ts'
import type { CallCost } from '../../nodes/node-type.ts'
import type { Db } from '../../platform/db.ts'
import { shortageWords } from '../model/clearance.ts'
import { type UnitName, unitKey } from '../model/units.ts'
import {
  holdMore,
  lockAndFit,
  type RunPurse,
  readApprovalAbove,
  readBudgets,
  readRunPurse,
} from '../store/run-costs.ts'
import type { RunLease } from '../store/runs.ts'

export type CallVerdict = { kind: 'pay' } | { kind: 'wait' } | { kind: 'refuse'; why: string }
export type PricedCall = { unit: UnitName; cost: CallCost }

/**
 * Decides for each unit whether its call may be made and, if there are budgets, reserves the part of the cost that is not
 * reserved yet. Returns the verdicts by unit key; a unit without a verdict may make its call. The caller has locked the run.
 */
export async function judgeCalls(
  tx: Db,
  runLease: RunLease,
  calls: readonly PricedCall[],
): Promise<Map<string, CallVerdict>> {
  const verdicts = new Map<string, CallVerdict>()
  const [first] = calls
  if (first === undefined) return verdicts
  const { runId, generation } = runLease
  const units = calls.map(({ unit }) => unit)
  const purse = await readRunPurse(tx, runLease, first.cost.currency, units)
  if (purse.countedIn !== null && purse.countedIn !== purse.currency) {
    const fresh = units.map(unitKey).filter((unit) => !purse.begun.has(unit))
    return new Map(fresh.map((unit) => [unit, refuse(changedWords(purse.countedIn, purse.currency))]))
  }
  const isBudgeted = (await readBudgets(tx, purse)).length > 0
  const approvalAbove = purse.isCleared ? null : await readApprovalAbove(tx)
  if (!isBudgeted && approvalAbove === null && purse.maxCost === null) return verdicts
  const standing: Standing = { ...purse, isBudgeted, approvalAbove }
  for (const { unit, cost } of calls) {
    // If an earlier attempt has begun the call, the cost of the call is already counted.
    if (purse.begun.has(unitKey(unit))) continue
    let verdict = judge(standing, cost)
    const total = standing.counted + (cost.most ?? cost.least)
    if (verdict.kind === 'pay' && isBudgeted && total > standing.reserved) {
      const short = await lockAndFit(tx, purse, total - Math.max(standing.reserved, standing.counted))
      if (short) verdict = refuse(shortageWords(short, purse, cost.most ?? cost.least))
      else {
        await holdMore(tx, runId, generation, purse, total)
        standing.reserved = total
      }
    }
    verdicts.set(unitKey(unit), verdict)
    if (verdict.kind !== 'pay') continue
    standing.counted = total
    standing.hasUnbounded ||= cost.most === null
  }
  return verdicts
}

type Standing = RunPurse & { isBudgeted: boolean; approvalAbove: number | null }

/** Decides about a call by the cost limit of the start, the approval limit and the price; the caller checks budgets. Pure. */
function judge({ maxCost, counted, hasUnbounded, approvalAbove }: Standing, cost: CallCost): CallVerdict {
  const { currency, most, least, model } = cost
  if (!cost.isKnown)
    return refuse(
      `The price of ${model} is not known, so that no budget or limit can hold it. Choose another model; an operator can give prices with ATELIER_MODELS.`,
    )
  if (most === null && maxCost === null)
    return refuse(
      `Nobody can say what a call of ${model} costs at most. Start the run yourself, and say what it may cost.`,
    )
  const total = counted + (most ?? least)
  // Calls without a maximum cost are made one at a time, and only while the amount counted so far is below the limit. Calls that
  // cost nothing at most are made also once the limit is reached.
  if (most === null && hasUnbounded) return { kind: 'wait' }
  if (maxCost !== null && (total > maxCost || (most === null && counted >= maxCost)))
    return refuse(
      `The start may cost ${amountWords(maxCost, currency)}, of which ${amountWords(Math.max(maxCost - counted, 0), currency)} is left; this call may cost ${amountWords(most ?? least, currency)}.`,
    )
  if (approvalAbove !== null && total > approvalAbove)
    return refuse(
      `Starts that may cost more than ${amountWords(approvalAbove, currency)} need an approval, and this run was started without one. Start it yourself: the start says what needs to be approved.`,
    )
  return { kind: 'pay' }
}

/**
 * The costs of a generation are one sum, in the currency of its start. The operator may have given a list of models in another one
 * while the run was under way, and amounts of that must not be added to the sum.
 */
const changedWords = (before: string | null, now: string): string =>
  `This start was counted in ${before}, and prices are in ${now} by now. Start the run again, and it is counted in ${now}.`

const refuse = (why: string): CallVerdict => ({ kind: 'refuse', why: `budget_exceeded: ${why} Nothing was sent.` })
