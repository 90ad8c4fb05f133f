// In charge of limiting how many large lookups a process answers at the same time. A response may have 40 MB, and it stays in memory
// until the caller has read all of it. Sixty such responses at once ended a process whose heap was limited to 1 GB.
import type { CreativeLookup } from '@atelier/contract/launches.ts'
import { createTurns, type EndTurn, type Turns } from '../../../platform/turns.ts'

/** A lookup of at least this many names and ad_ids counts as large. */
const largeHandles = 100

/** A turn ends after a minute even if the caller has not read everything: slow callers must not keep others from asking. */
export const turnsOfLookups = (): Turns =>
  createTurns({ most: 8, mostWaiting: 200, waitMs: 10_000, turnMs: 60_000, what: 'large lookups are being answered' })

/** Waits for the turn of a lookup; returns the function that ends the turn. A lookup that is not large does not wait. */
export async function turnOf(turns: Turns, { names = [], ad_ids: adIds = [] }: CreativeLookup): Promise<EndTurn> {
  return names.length + adIds.length < largeHandles ? () => undefined : turns()
}

/** Passes on the parts of a response, and ends the turn after the last one, or as soon as no more are wanted. */
export function* untilMade(parts: Iterable<string>, end: EndTurn): Generator<string> {
  try {
    yield* parts
  } finally {
    end()
  }
}
