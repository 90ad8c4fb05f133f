// In charge of which numbers in a provider's reply may become credits and money. A provider may state anything, also numbers that are
// negative or endless; what is not bookable counts as not stated. Pure.
import type { Usage } from './models.ts'

/** More tokens than any model reads or writes in one call. */
const mostTokens = 1_000_000_000

/**
 * More than any call costs, in millionths of a currency: ten million of its units. The sum of as many calls as a run can make still
 * fits into the database's columns.
 */
const mostAmount = 10_000_000_000_000

export const isTokenCount = (said: unknown): said is number =>
  typeof said === 'number' && Number.isInteger(said) && said >= 0 && said <= mostTokens

/** Whether an amount that a provider states, or that follows from its counts, may be booked; it need not be whole. */
export const isBookable = (amount: number): boolean => amount >= 0 && amount <= mostAmount

/** The token counts of a call; null unless the provider states both. */
export const tokensSaid = (sent: unknown, made: unknown): Usage['tokens'] =>
  isTokenCount(sent) && isTokenCount(made) ? { sent, made } : null
