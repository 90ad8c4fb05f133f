// In charge of credits that follow from money: if the operator has set the price of a credit, a call with a known cost is charged
// in credits of the same value, rounded up. Pure.
import { type Cost, type NodeContext, NodeFailure, type NodeResult, type NodeType } from './node-type.ts'

/** `price`: millionths of the currency for one credit; null: a call costs the credits that its type declares. */
export function withCreditPrice(type: NodeType, price: number | null): NodeType {
  if (price === null || type.gate !== null) return type
  const credits = (amount: number): number => Math.ceil(amount / price)
  return {
    ...type,
    estimate(params, inputs) {
      const cost = type.cost(params, inputs)
      if (!cost?.isKnown) return type.estimate(params, inputs)
      return { least: credits(cost.least), most: cost.most === null ? null : credits(cost.most) }
    },
    async run(context): Promise<NodeResult> {
      try {
        const result = await type.run(context)
        const amount = result.credits === 0 ? null : amountOf(type, context, result.cost)
        return amount === null ? result : { ...result, credits: credits(amount) }
      } catch (error) {
        if (!(error instanceof NodeFailure) || error.outcome !== 'paid') throw error
        const amount = amountOf(type, context, error.cost)
        if (amount === null) throw error
        // At least one credit, because zero credits would mean that the call was not paid.
        throw new NodeFailure(error.message, {
          credits: Math.max(credits(amount), 1),
          cost: error.cost ?? null,
          cause: error,
        })
      }
    },
  }
}

/**
 * The amount paid, in millionths of the currency; null if it is not known. `cost` is what the result of the call says. Null: the
 * cost is not known. Undefined: the result says nothing, and the call has cost its fixed price, if it has one.
 */
function amountOf(type: NodeType, { params, inputs }: NodeContext, cost: Cost | null | undefined): number | null {
  if (cost !== undefined) return cost?.amount ?? null
  const planned = type.cost(params, inputs)
  return planned?.isKnown && planned.least === planned.most ? planned.least : null
}
