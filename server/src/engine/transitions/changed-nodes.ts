// In charge of deciding which nodes of two definitions are made differently, so that results of the one are not valid for the
// other. Pure.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { downstreamOf } from '@atelier/contract/graph/graph-order.ts'
import { canonicalJson } from '../../platform/canonical-json.ts'

/**
 * Node id → the recipe of the node, as text: the node's entry in the definition and the edges that lead to the node. A node's
 * results stay valid while its recipe and the outputs of its predecessors stay the same.
 */
function recipes({ nodes, edges }: Definition): Map<string, string> {
  const into = Map.groupBy(edges, ({ to }) => to.node)
  return new Map(Object.entries(nodes).map(([id, node]) => [id, canonicalJson([node, into.get(id) ?? []])]))
}

/**
 * Nodes whose results are not valid under the new definition: new and removed nodes, nodes with a changed recipe, and all nodes
 * downstream of them. Pure.
 */
export function changedNodes(before: Definition, after: Definition): Set<string> {
  const [old, now] = [recipes(before), recipes(after)]
  const changed = new Set([...now].filter(([id, recipe]) => old.get(id) !== recipe).map(([id]) => id))
  for (const follower of downstreamOf(after, changed)) changed.add(follower)
  for (const id of old.keys()) if (!now.has(id)) changed.add(id)
  return changed
}
