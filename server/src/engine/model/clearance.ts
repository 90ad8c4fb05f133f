// In charge of deciding whether a start is allowed by its cost: the amount it reserves from budgets, whether an admin has to
// approve it, and why it is refused. Pure.
import { amountWords, type MoneyRange } from '@atelier/contract/money.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'

/** A budget of a person or token; a null `person_id` means a budget of all people together. Amounts are millionths. */
export type Budget = { id: string; person_id: string | null; period: 'month' | 'always'; amount: number }
/** The person who pays, and the month (UTC, as `2026-11`). */
export type Purse = { personId: string; currency: string; month: string }
/** A budget in which too little money is left. */
export type Shortage = { budget: Budget; left: number }
/** The amount a start reserves; `maxCost`: the limit that the person set, if any. */
export type Clearance = { purse: Purse; reserved: number; maxCost: number | null }

export type Policy = {
  currency: string
  isBudgeted: boolean
  /** A start that costs more than this needs an approval; null if no start needs one. */
  approvalAbove: number | null
}

/** Whether budgets or approvals have to be checked before a start with this limit. */
export const isGuarded = ({ isBudgeted, approvalAbove }: Policy, maxCost: number | null): boolean =>
  isBudgeted || approvalAbove !== null || maxCost !== null

/**
 * Returns the amount a start reserves, and whether it needs an approval. Throws if the cost is unknown, unbounded or
 * above the limit.
 */
export function decideClearance(money: MoneyRange, maxCost: number | null, policy: Policy) {
  const { currency, approvalAbove } = policy
  if (money.unpriced.length > 0)
    throw new Refusal(
      'price_unknown',
      `The price of ${money.unpriced.slice(0, 3).join(', ')} is not known, so that no budget or limit can hold it. Choose another model; an operator can give prices with ATELIER_MODELS.`,
    )
  if (money.most === null && maxCost === null)
    throw new Refusal(
      'limit_needed',
      `Nobody can say what this start costs at most. Say what it may cost with max_cost, in millionths of ${currency}.`,
    )
  const reserved = Math.min(money.most ?? Number.POSITIVE_INFINITY, maxCost ?? Number.POSITIVE_INFINITY)
  if (maxCost !== null && money.least > maxCost)
    throw new Refusal(
      'budget_exceeded',
      `This start costs at least ${amountWords(money.least, currency)}, which is more than the ${amountWords(maxCost, currency)} it may cost.`,
    )
  return { reserved, needsApproval: approvalAbove !== null && reserved > approvalAbove }
}

/** A sentence that says which budget has too little left. */
export function shortageWords({ budget, left }: Shortage, wanted: number, currency: string): string {
  const whose = budget.person_id === null ? 'of the workspace' : 'of this person'
  const period = budget.period === 'month' ? ' for this month' : ''
  return `The budget ${whose}${period} has ${amountWords(left, currency)} left of ${amountWords(budget.amount, currency)}, with what runs under way hold; this may cost ${amountWords(wanted, currency)}.`
}
