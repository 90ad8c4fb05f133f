// In charge of finding the node whose text produced a picture: the nearest node before it with the input `changes`. Pure.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { infoOf } from '@atelier/contract/graph/edge-rules.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'

/** `item`: for a node that runs once per element. */
export type WordsPlace = { node: string; item: number | null }

export const wordsPort = 'changes'

/**
 * Follows edges backwards as long as each node belongs to one item: a node that several items share is not executed again for one
 * of them. `item` is the position of the file in the node's output: its item if the node runs once per element, else its position
 * in the list.
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
