// In charge of finding the node whose words made a picture: the nearest one before it that takes `changes`. Pure.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { infoOf } from '@atelier/contract/graph/edge-rules.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'

/** `item`: of a node that runs once per element. */
export type WordsPlace = { node: string; item: number | null }

export const wordsPort = 'changes'

/**
 * Goes back along edges that keep the item: what several items share is not rolled again because of one of them. `item` is
 * the place of the file in what the node gives, whether that runs once per element or gives a list.
 */
export function wordsPlace(
  definition: Definition,
  types: NodeTypes,
  node: string,
  item: number | null,
): WordsPlace | null {
  const { nodes, edges } = definition
  const runsPerItem = (id: string): boolean => (nodes[id]?.each.length ?? 0) > 0
  const seen = new Set<string>()
  const due: WordsPlace[] = [{ node, item: runsPerItem(node) ? item : null }]
  for (const place of due) {
    const spec = Object.hasOwn(nodes, place.node) ? nodes[place.node] : undefined
    if (!spec || seen.has(place.node)) continue
    seen.add(place.node)
    const info = infoOf(spec, types)
    if (info && Object.hasOwn(info.inputs, wordsPort)) return place
    for (const { from, to } of edges.filter((edge) => edge.to.node === place.node)) {
      const isOfItem = place.item !== null && spec.each.includes(to.port)
      if (isOfItem === runsPerItem(from.node) && (isOfItem || place.item === null))
        due.push({ node: from.node, item: place.item })
    }
  }
  return null
}
