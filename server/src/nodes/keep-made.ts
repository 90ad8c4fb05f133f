// In charge of storing what a provider has made and was paid for.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { type Cost, NodeFailure } from './node-type.ts'
import type { Made } from './outside/models.ts'

/** The price of a call; `credits` is 0 if an earlier attempt at the call was already charged. `charge`: see `Made`. */
export type Price = { credits: number; cost: Cost | null; charge: Made<unknown>['charge'] }

/** What an attempt has to pay for a call: nothing, in credits and money, if an earlier attempt was charged for the same reply. */
export const duePrice = (isCharged: boolean, credits: number, cost: Cost | null): Pick<Price, 'credits' | 'cost'> =>
  isCharged ? { credits: 0, cost: cost && { ...cost, amount: 0 } } : { credits, cost }

/**
 * Waits until a file is stored. If it cannot be stored, throws a failure that books what the call cost, unless an earlier attempt
 * was charged for it. `what`: what the provider made, as in `a video`.
 */
export async function keepMade(what: string, stored: Promise<FileValue>, price: Price): Promise<FileValue> {
  try {
    return await stored
  } catch (cause) {
    if (!(cause instanceof NodeFailure || cause instanceof Refusal)) throw cause
    throw await paidFailure(`The provider made ${what}.`, {
      price,
      but: `, but could not be kept: ${cause.message}`,
      cause,
    })
  }
}

/** The failure of a call whose reply cannot be used; it books what the call cost, unless an earlier attempt was charged for it. */
export const uselessReply = (why: string, price: Price): Promise<NodeFailure> => paidFailure(why, { price, but: '.' })

async function paidFailure(
  what: string,
  { price: { credits, cost, charge }, but, cause }: { price: Price; but: string; cause?: unknown },
): Promise<NodeFailure> {
  if (credits === 0) return new NodeFailure(`${what} It was paid for before${but}`, { cause })
  await charge()
  return new NodeFailure(`${what} It was paid for${but}`, { credits, cost, cause })
}
