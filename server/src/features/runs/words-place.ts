// In charge of finding the node whose input `changes` takes words that change a picture: the first such node on the way back from
// the node that made the picture. Pure.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { infoOf } from '@atelier/contract/graph/edge-rules.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'

/** A node, and the item to make again if the node runs once per item; otherwise `item` is null. */
export type WordsPlace = { node: string; item: number | null }

export const wordsPort = 'changes'

/**
 * Finds the node that has to be re-rolled with new words, so that a file is made again: the first node with the input `changes`,
 * going backwards along the edges from the node that made the file; null if there is none. For a file of one item, only nodes that
 * run once per item are followed, since the re-roll of a node that items share would make the files of all these items again. For
 * any other file, only nodes that do not run per item are followed. `item` is the file's item if its node runs once per item;
 * otherwise it is the file's position in the node's list, or null.
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
