// In charge of storing what a provider has made and was paid for.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { type Cost, NodeFailure } from './node-type.ts'

/**
 * Waits until a file is stored. If it cannot be stored, throws a failure that books what the call cost. `what`: what the provider
 * made, as in `a video`.
 */
export async function keepMade(
  what: string,
  stored: Promise<FileValue>,
  { credits, cost }: { credits: number; cost: Cost | null },
): Promise<FileValue> {
  try {
    return await stored
  } catch (cause) {
    if (!(cause instanceof NodeFailure || cause instanceof Refusal)) throw cause
    throw new NodeFailure(`The provider made ${what}. It was paid for, but could not be kept: ${cause.message}`, {
      ...{ credits, cost, cause },
    })
  }
}
