// In charge of reading cards by their numbers, as they are now, also those on pages that are not loaded.
import { call } from '../lib/api.ts'
import type { Card } from '../lib/types.ts'
import { type FeedParams, withRule } from './search-params.ts'

/** How many cards one request asks for: as many as a page may have. */
export const mostAtOnce = 100

/** Reads those of the cards that this search and filter show; without both, all that are not deleted. */
export async function readCards(cards: readonly Card[], params: FeedParams = {}): Promise<readonly Card[]> {
  const numbers = cards.flatMap(({ number }) => number ?? [])
  const read: Card[] = []
  for (let from = 0; from < numbers.length; from += mostAtOnce) {
    const value = numbers.slice(from, from + mostAtOnce)
    const query = { ...withRule(params, { field: 'number', operator: 'in', value }), limit: mostAtOnce }
    read.push(...(await call('tasksBoard', { query })).tasks)
  }
  return read
}
