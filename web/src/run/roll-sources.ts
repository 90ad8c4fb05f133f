// In charge of finding what to re-roll to get a new version of one option of a gate: the node or item that made the option or, if
// that makes nothing new, the nearest one before it in the graph that does. Pure.
import type { Definition, GraphEdge } from '@atelier/contract/graph/definition.ts'
import { infoOf } from '@atelier/contract/graph/edge-rules.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import type { NodeRunState } from '@atelier/contract/graphs.ts'

export type Source = { node_id: string; item: number | null }
type Given = { definition: Definition; types: NodeTypes; nodes: Readonly<Record<string, NodeRunState>> }

/** Returns what to re-roll for this option; null if no node before the gate would make a new result for it. */
export function sourceOfOption(given: Given, gate: string, option: number): Source | null {
  const edges = given.definition.edges.filter(({ to }) => to.node === gate)
  const [edge] = edges.filter(({ to }) => to.port === 'options' || to.port === 'value')
  return edge ? sourceOfElement(given, edge, option, true) : null
}

/**
 * Finds the node or item that made the element at `place` in the list that an edge brings. `packed`: `place` counts only elements
 * that are not null, as in the options of a gate, where missing results are left out.
 */
function sourceOfElement(given: Given, { from }: GraphEdge, place: number, packed: boolean): Source | null {
  const node = given.definition.nodes[from.node]
  const state = given.nodes[from.node]
  if (!node || !state) return null
  if (node.each.length > 0) {
    const item = packed ? placeAmongFilled(state.outputs[from.port], place) : place
    if (item === null) return null
    if (makesNew(given, from.node)) return { node_id: from.node, item }
    // The node makes one item for each element of its input list, so the item and its input element have the same index.
    const edge = given.definition.edges.find(({ to }) => to.node === from.node && node.each.includes(to.port))
    return edge ? sourceOfElement(given, edge, item, false) : null
  }
  if (makesNew(given, from.node)) return { node_id: from.node, item: null }
  if (node.type === 'list.collect') return sourceInCollected(given, from.node, place)
  return nearest(given, from.node)
}

/** Finds the node or item that made an element in the output of a `list.collect` node, which joins the lists of its edges. */
function sourceInCollected(given: Given, id: string, place: number): Source | null {
  let left = place
  for (const edge of given.definition.edges.filter(({ to }) => to.node === id)) {
    const value = given.nodes[edge.from.node]?.outputs[edge.from.port]
    const filled = Array.isArray(value) ? value.filter((element) => element !== null).length : 1
    if (left < filled) {
      if (Array.isArray(value)) return sourceOfElement(given, edge, left, true)
      return makesNew(given, edge.from.node) ? { node_id: edge.from.node, item: null } : nearest(given, edge.from.node)
    }
    left -= filled
  }
  return null
}

function placeAmongFilled(list: unknown, place: number): number | null {
  if (!Array.isArray(list)) return place
  const filled = list.flatMap((element: unknown, index) => (element === null ? [] : [index]))
  return filled[place] ?? null
}

/** Finds the nearest node that makes something new: the node `id` or one before it. The source is this whole node, not an item. */
function nearest({ definition, types, nodes }: Given, id: string): Source | null {
  const seen = new Set([id])
  for (const at of seen) {
    if (makesNew({ definition, types, nodes }, at)) return { node_id: at, item: null }
    for (const { from, to } of definition.edges) if (to.node === at) seen.add(from.node)
  }
  return null
}

/**
 * Whether a re-roll can change the result of a node. A node that costs nothing and generates nothing would make the same result
 * again, and a gate would only ask again.
 */
function makesNew({ definition, types }: Given, id: string): boolean {
  const node = definition.nodes[id]
  const info = node && infoOf(node, types)
  return info !== undefined && !info.gate && (info.group === 'generate' || info.credits.most !== 0)
}
