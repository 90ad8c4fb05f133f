// In charge of deciding whether what a start may cost is allowed: how much the start reserves from budgets, whether an admin
// has to approve it, and why it is refused. Amounts are millionths of a currency. Pure.
import { amountWords, type MoneyRange } from '@atelier/contract/money.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'

/**
 * A budget. `person_id`: the id of the person or token whose spending it limits; null if it limits the total spending of the
 * workspace.
 */
export type Budget = { id: string; person_id: string | null; period: 'month' | 'always'; amount: number }
/** Decides which budgets a start is charged to: the id of the person or token, the currency, and the month (UTC, `2026-11`). */
export type Purse = { personId: string; currency: string; month: string }
/** A budget in which too little money is left; `left`: how much that is. */
export type Shortage = { budget: Budget; left: number }
/**
 * What a start reserves, and from whose budgets. `maxCost`: the limit that the person set for the start; null if there is
 * none.
 */
export type Clearance = { purse: Purse; reserved: number; maxCost: number | null }

export type Policy = {
  currency: string
  isBudgeted: boolean
  /** A start that may cost more than this needs an approval; null if no start needs one. */
  approvalAbove: number | null
}

/**
 * Whether the cost of a start has to be checked: if there are budgets, if expensive starts need approvals, or if the person
 * set the limit `maxCost`.
 */
export const isGuarded = ({ isBudgeted, approvalAbove }: Policy, maxCost: number | null): boolean =>
  isBudgeted || approvalAbove !== null || maxCost !== null

/**
 * Returns the amount that a start reserves, and whether the start needs an approval. Throws if a price is unknown, if what the
 * start may cost has no maximum and the person set no `maxCost` either, or if even the minimum cost exceeds `maxCost`.
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

/** A sentence that says which budget of this purse has too little left. A month is that of the start, which may be over. */
export function shortageWords({ budget, left }: Shortage, { currency, month }: Purse, wanted: number): string {
  const whose = budget.person_id === null ? 'of the workspace' : 'of this person'
  const period = budget.period === 'month' ? ` for ${month}` : ''
  return `The budget ${whose}${period} has ${amountWords(left, currency)} left of ${amountWords(budget.amount, currency)}, with what runs under way hold; this may cost ${amountWords(wanted, currency)}.`
}
