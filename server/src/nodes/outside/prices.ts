// In charge of the cost of a model call: the planned cost by the price list, and the actual cost by what the provider says. Pure.
import type { ModelPrice } from '@atelier/contract/graph/model-catalogue.ts'
import type { CallCost, Cost } from '../node-type.ts'
import { isBookable } from './bookable.ts'
import type { Usage } from './models.ts'

/**
 * What the price of a call depends on. Null or absent: not known, for example because the model decides. Token counts are upper
 * bounds, because the real counts are known only after the call.
 */
export type Units = {
  pixels?: number | null
  seconds?: number | null
  tokensSent?: number | null
  tokensMade?: number | null
}

type Range = Pick<CallCost, 'least' | 'most'>

const perMillion = (count: number, price: number): number => (count * price) / 1_000_000

/**
 * The possible cost of a call at this price. `most` is null if the price is only a lower bound (`from`), or if it depends on a
 * member of `units` that is not known.
 */
export function priceRange(price: ModelPrice, units: Units): Range {
  const { per, amount, amount_in: amountIn, from = false } = price
  const fixed = (exact: number | null, least: number): Range => {
    const known = exact === null ? null : Math.round(exact)
    return { least: known ?? least, most: from ? null : known }
  }
  if (per === 'image') return fixed(amount, amount)
  // If the price per megapixel is only a lower bound, further megapixels may cost less than the first, so only that is certain.
  if (per === 'megapixel') return from ? { least: amount, most: null } : fixed(megapixels(units, amount), 0)
  if (per === 'second') return fixed(units.seconds ? units.seconds * amount : null, amount)
  const { tokensSent: sent = null, tokensMade: made = null } = units
  const isBounded = sent !== null && made !== null && amountIn !== undefined && !from
  return { least: 0, most: isBounded ? Math.ceil(perMillion(sent, amountIn) + perMillion(made, amount)) : null }
}

const megapixels = ({ pixels = null }: Units, amount: number): number | null =>
  pixels === null ? null : perMillion(pixels, amount)

/**
 * The actual cost of a call: what the provider states, if that can be booked; else what follows from the provider's token count, for a price per token;
 * else what follows from the price. Null: not known.
 */
export function costOf(price: ModelPrice | null, units: Units, usage: Usage | null, currency: string): Cost | null {
  const said = usage?.cost?.currency === currency ? usage.cost.amount : null
  if (said !== null && isBookable(said)) return { amount: Math.round(said), by: 'provider' }
  if (price === null) return null
  if (price.per === 'million_tokens') {
    if (!usage?.tokens) return null
    const { sent, made } = usage.tokens
    const isWhole = price.amount_in !== undefined && !price.from
    const amount = perMillion(made, price.amount) + perMillion(sent, price.amount_in ?? 0)
    if (!isBookable(amount)) return null
    return isWhole ? { amount: Math.round(amount), by: 'usage' } : { amount: Math.floor(amount), by: 'least' }
  }
  const { least, most } = priceRange(price, units)
  return { amount: least, by: least === most ? 'price' : 'least' }
}

/** The number of pixels of a size such as `1024x1536`; null for `auto`. */
export function pixelsOf(size: string): number | null {
  const [width, height] = size.split('x').map(Number)
  return width && height ? width * height : null
}

/** A generous estimate of how many tokens a provider adds to a prompt. */
const frameTokens = 1000

/** Upper bounds of the token counts of a chat. A text has at most as many tokens as bytes. */
export const tokensOf = (texts: readonly string[], tokensMade: number): Units => ({
  tokensSent: texts.reduce((sum, text) => sum + Buffer.byteLength(text), frameTokens),
  tokensMade,
})
