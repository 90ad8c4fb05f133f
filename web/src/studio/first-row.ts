// In charge of copying a graph so that its nodes run for the first element of a list only, to see one result at a low price. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { downstreamOf } from '@atelier/contract/graph/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { freeId } from '../canvas/clip.ts'
import { eachOf, membersOf, type Raw, rawEdges, rawNodes, readEdge, withParts } from '../canvas/doc.ts'

/**
 * Returns the changed copy; null if no node runs once per element of a list. A later run of the whole graph finds the results of
 * the first elements in the node cache.
 */
export function firstRowOf(raw: Raw): Raw | null {
  const definition = readDefinition(raw)
  const running = Object.keys(definition.nodes).filter((id) => eachOf(rawNodes(raw)[id]).length > 0)
  // If several nodes on a path run over lists, only the first of them is changed: the others receive lists of one element anyway.
  const after = downstreamOf(definition, running)
  const heads = running.filter((id) => !after.has(id))
  if (heads.length === 0) return null
  const nodes: Record<string, unknown> = { ...rawNodes(raw) }
  const edges: unknown[] = []
  const picks = new Map<string, string>()
  for (const id of heads) nodes[id] = withFirst(nodes[id])
  for (const edge of rawEdges(raw)) {
    const read = readEdge(edge)
    if (!read || !heads.includes(read.to.node) || !eachOf(nodes[read.to.node]).includes(read.to.port)) {
      edges.push(edge)
      continue
    }
    const source = JSON.stringify(read.from)
    let pick = picks.get(source)
    if (pick === undefined) {
      pick = freeId(`first_${read.from.port}`, new Set(Object.keys(nodes)))
      picks.set(source, pick)
      nodes[pick] = { type: 'list.pick', version: 1, params: { how: 'first', count: 1 } }
      edges.push({ from: read.from, to: { node: pick, port: 'list' } })
    }
    edges.push({ from: { node: pick, port: 'picked' }, to: read.to })
  }
  return withParts(raw, { nodes, edges })
}

/** Shortens the lists that a node has as values in `inputs` to their first element, at the ports that are named in `each`. */
function withFirst(node: unknown): unknown {
  if (!isPlainObject(node)) return node
  const each = new Set(eachOf(node))
  const inputs = Object.entries(membersOf(node, 'inputs')).map(
    ([port, value]) => [port, each.has(port) && Array.isArray(value) ? value.slice(0, 1) : value] as const,
  )
  return { ...node, inputs: Object.fromEntries(inputs) }
}
