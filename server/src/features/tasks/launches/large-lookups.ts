// In charge of limiting how many large lookups a process answers at the same time. A response may have 40 MB, and it stays in memory
// until the caller has read all of it. Sixty such responses at once ended a process whose heap was limited to 1 GB.
import type { CreativeLookup } from '@atelier/contract/launches.ts'
import { createTurns, type EndTurn, type Turns } from '../../../platform/turns.ts'

/** A lookup of at least this many names and ad_ids counts as large before it begins. */
const manyHandles = 100

export const hasManyHandles = ({ names = [], ad_ids: adIds = [] }: CreativeLookup): boolean =>
  names.length + adIds.length >= manyHandles

/** How large the texts that a large lookup reads may be. Of those that read more, fewer are answered at the same time. */
export const largeBytes = 16 * 1024 * 1024

export type TurnsOfLookups = { large: Turns; largest: Turns }

/** A turn ends after a minute even if the caller has not read everything: slow callers must not keep others from asking. */
export function turnsOfLookups(): TurnsOfLookups {
  const limits = { mostWaiting: 200, turnMs: 60_000 }
  return {
    large: createTurns({ ...limits, most: 8, waitMs: 10_000, what: 'large lookups are being answered' }),
    largest: createTurns({ ...limits, most: 2, waitMs: 30_000, what: 'of the largest lookups are being answered' }),
  }
}

/**
 * Waits for a turn and begins a lookup. The turn ends after the last part of the response, or as soon as no more are wanted; at once
 * if the lookup returns null.
 */
export async function untilMade<Parts extends Iterable<string> | null>(
  turns: Turns,
  lookUp: () => Promise<Parts>,
): Promise<Parts | Iterable<string>> {
  const end = await turns()
  try {
    const parts = await lookUp()
    if (parts !== null) return ending(parts, end)
    end()
    return parts
  } catch (error) {
    end()
    throw error
  }
}

function* ending(parts: Iterable<string>, end: EndTurn): Generator<string> {
  try {
    yield* parts
  } finally {
    end()
  }
}
