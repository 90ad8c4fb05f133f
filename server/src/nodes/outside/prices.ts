// In charge of what a call of a model costs: before it by its price, after it by what the provider said or counted. Pure.
import type { ModelPrice } from '@atelier/contract/graph/model-catalogue.ts'
import type { CallCost, Cost } from '../node-type.ts'
import type { Usage } from './models.ts'

/** The properties of a request that its price may depend on; null: the model decides. For tokens, the highest possible number. */
export type Units = {
  pixels?: number | null
  seconds?: number | null
  tokensSent?: number | null
  tokensMade?: number | null
}

type Range = Pick<CallCost, 'least' | 'most'>

const perMillion = (count: number, price: number): number => (count * price) / 1_000_000

/** What a call comes to at a price. A price that is only the least has no most. */
export function priceRange(price: ModelPrice, units: Units): Range {
  const { per, amount, amount_in: amountIn, from = false } = price
  const fixed = (exact: number | null, least: number): Range => {
    const known = exact === null ? null : Math.round(exact)
    return { least: known ?? least, most: from ? null : known }
  }
  if (per === 'image') return fixed(amount, amount)
  // What rises from the first megapixel on need not rise by as much with each.
  if (per === 'megapixel') return from ? { least: amount, most: null } : fixed(megapixels(units, amount), 0)
  if (per === 'second') return fixed(units.seconds ? units.seconds * amount : null, amount)
  const { tokensSent: sent = null, tokensMade: made = null } = units
  const isBounded = sent !== null && made !== null && amountIn !== undefined && !from
  return { least: 0, most: isBounded ? Math.ceil(perMillion(sent, amountIn) + perMillion(made, amount)) : null }
}

const megapixels = ({ pixels = null }: Units, amount: number): number | null =>
  pixels === null ? null : perMillion(pixels, amount)

/** What a call has cost: as the provider says, else by what it counted, else by a fixed price. Null: nobody knows. */
export function costOf(price: ModelPrice | null, units: Units, usage: Usage | null, currency: string): Cost | null {
  if (usage?.cost && usage.cost.currency === currency) return { amount: Math.round(usage.cost.amount), by: 'provider' }
  if (price === null) return null
  if (price.per === 'million_tokens') {
    if (!usage?.tokens) return null
    const { sent, made } = usage.tokens
    const isWhole = price.amount_in !== undefined && !price.from
    const amount = perMillion(made, price.amount) + perMillion(sent, price.amount_in ?? 0)
    return isWhole ? { amount: Math.round(amount), by: 'usage' } : { amount: Math.floor(amount), by: 'least' }
  }
  const { least, most } = priceRange(price, units)
  return { amount: least, by: least === most ? 'price' : 'least' }
}

/** Pixels of a size as nodes have it; null for `auto`. */
export function pixelsOf(size: string): number | null {
  const [width, height] = size.split('x').map(Number)
  return width && height ? width * height : null
}

/** What providers put around a prompt, in tokens, generously. */
const frameTokens = 1000

/** The most tokens of a chat with these texts: a token has at least one byte. */
export const tokensOf = (texts: readonly string[], tokensMade: number): Units => ({
  tokensSent: texts.reduce((sum, text) => sum + Buffer.byteLength(text), frameTokens),
  tokensMade,
})
