// In charge of giving nodes of a graph other ids, also in everything that names them: edges and positions. Pure.
import { type Positions, type Raw, rawEdges, rawNodes, readEdge, withParts } from '../canvas/doc.ts'
import type { Doc } from '../canvas/layout.ts'

/**
 * The document in which each node has the id that `ids` has for its present one; other nodes keep theirs. The nodes keep their places
 * in the order of the nodes, because this order matters in a run. All ids in the result must be different.
 */
export function withIds(doc: Doc, ids: ReadonlyMap<string, string>): Doc {
  if (ids.size === 0) return doc
  const idOf = (id: string): string => ids.get(id) ?? id
  const rekeyed = <T>(ones: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(ones).map(([id, one]) => [idOf(id), one]))
  const edges = rawEdges(doc.definition).map((raw) => {
    const edge = readEdge(raw)
    if (!edge || !(ids.has(edge.from.node) || ids.has(edge.to.node))) return raw
    return {
      from: { ...edge.from, node: idOf(edge.from.node) },
      to: { ...edge.to, node: idOf(edge.to.node) },
    }
  })
  const nodes: Raw = rekeyed(rawNodes(doc.definition))
  const positions: Positions = rekeyed(doc.positions)
  return { ...doc, positions, definition: withParts(doc.definition, { nodes, edges }) }
}
