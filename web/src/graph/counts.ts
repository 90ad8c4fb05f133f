// In charge of counting, before a graph runs, the list elements of nodes that run once for each element of a list. Pure.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { topologicalOrder } from '@atelier/contract/graph/graph-order.ts'
import { tableOf } from '../lib/table-text.ts'

/** The number of list elements by node, for nodes that run once for each element; null if it is not known before the graph runs. */
export function itemCounts(definition: Definition): ReadonlyMap<string, number | null> {
  const counts = new Map<string, number | null>()
  for (const id of topologicalOrder(definition)) {
    const node = definition.nodes[id]
    const [port] = node?.each ?? []
    if (!node || port === undefined) continue
    const edge = definition.edges.find(({ to }) => to.node === id && to.port === port)
    const own = node.inputs[port]
    counts.set(id, edge ? lengthOf(definition, counts, edge.from) : Array.isArray(own) ? own.length : null)
  }
  return counts
}

function lengthOf(
  { nodes, edges }: Definition,
  counts: ReadonlyMap<string, number | null>,
  from: { node: string; port: string },
): number | null {
  const known = counts.get(from.node)
  if (known !== undefined) return known
  const source = nodes[from.node]
  const text = source?.inputs.text
  const isFed = edges.some(({ to }) => to.node === from.node)
  if (source?.type !== 'csv.parse' || from.port !== 'rows' || isFed || typeof text !== 'string') return null
  return tableOf(text).rows.length
}
