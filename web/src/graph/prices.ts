// In charge of describing the price of a graph that has no run yet; the service can estimate the price of a run only. Pure.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { creditWords } from '../canvas/words.ts'

/** The price in words. For nodes that run once per list element, it states only their number: the lists are not known yet. */
export function pricesOf({ nodes }: Definition, types: NodeTypes): string {
  const priced = Object.values(nodes).flatMap(({ type, each }) => {
    const credits = types.get(type)?.credits
    return credits === undefined || credits.most === 0 ? [] : [{ ...credits, isEach: each.length > 0 }]
  })
  if (priced.length === 0) return 'Costs: free.'
  const most = priced.reduce<number | null>((sum, { most }) => (sum === null || most === null ? null : sum + most), 0)
  const isExact = most !== null && priced.every(({ isEach }) => !isEach)
  if (isExact) return `Costs: at most ${creditWords(most)}; what is in the cache costs nothing.`
  const each = priced.filter(({ isEach }) => isEach).length
  const least = priced.filter(({ isEach }) => !isEach).reduce((sum, { least }) => sum + least, 0)
  const some = least > 0 ? [`${creditWords(least)} or more`] : []
  const lists = each > 0 ? [`${each === 1 ? 'one node pays' : `${each} nodes pay`} for each element of a list`] : []
  return `Costs: ${[...some, ...lists].join(', ') || 'not known before it runs'}. What is in the cache costs nothing.`
}
