// In charge of copying a graph so that its nodes run for the first element of a list only, to see one result at a low price. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { freeId } from '../canvas/clip.ts'
import { eachOf, membersOf, type Raw, rawEdges, rawNodes, readEdge, withParts } from '../canvas/doc.ts'

/**
 * Returns the changed copy; null if no node runs once per element of a list. A later run of the whole graph finds the results of
 * the first elements in the node cache.
 */
export function firstRowOf(raw: Raw): Raw | null {
  const nodes: Record<string, unknown> = { ...rawNodes(raw) }
  const running = new Set(Object.keys(nodes).filter((id) => eachOf(nodes[id]).length > 0))
  if (running.size === 0) return null
  const edges: unknown[] = []
  const picks = new Map<string, string>()
  for (const id of running) nodes[id] = withFirst(nodes[id])
  for (const edge of rawEdges(raw)) {
    const read = readEdge(edge)
    // A node that runs over a list gives one element already. Every other list is cut, also behind such a node: it may have been made
    // from the one element, and lists that a node runs over together have to be equally long.
    const isOfOne = read && running.has(read.from.node)
    if (!read || isOfOne || !eachOf(nodes[read.to.node]).includes(read.to.port)) {
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
  const lists = Object.entries(membersOf(node, 'inputs')).flatMap(([port, value]) =>
    each.has(port) && Array.isArray(value) ? [[port, value.slice(0, 1)] as const] : [],
  )
  if (lists.length === 0) return node
  return { ...node, inputs: { ...membersOf(node, 'inputs'), ...Object.fromEntries(lists) } }
}
