// In charge of deciding which nodes of a run are checked again: a start marks them stale, and its worker schedules them.
// Pure.
//
// A node is up to date if all its results exist, none is stale, and all its predecessors are up to date: then none of its
// inputs has changed. If only some items of such a node lack results, only those items are scheduled.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { infoOf } from '@atelier/contract/graph/edge-rules.ts'
import { downstreamOf } from '@atelier/contract/graph/graph-order.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { withDefaults } from '@atelier/contract/graph/schema-check.ts'
import type { FindType } from '../../nodes/node-type.ts'
import { hasAllOutputs, type NodeSummary, type UnfinishedItem } from './node-summary.ts'
import { hashOf, type UnitName } from './units.ts'

/**
 * Which units to read: all units of the nodes in `whole`; for nodes in `positions`, the node's own unit and the items
 * at these positions.
 */
export type Needs = { whole: ReadonlySet<string>; positions?: ReadonlyMap<string, ReadonlySet<number>> }

export type Staleness = {
  /** Nodes that are not scheduled because their results are valid. Items that no scheduled node needs are not read. */
  upToDate: ReadonlyMap<string, NodeSummary>
  /** Nodes whose elements have not changed, with the items to schedule. */
  partial: ReadonlyMap<string, readonly UnfinishedItem[]>
  needs: Needs
}

export const allStale = (scope: ReadonlySet<string>): Staleness => ({
  upToDate: new Map(),
  partial: new Map(),
  needs: { whole: scope },
})

/**
 * A fingerprint of a definition's node types, as far as they determine outputs. While the fingerprint is unchanged,
 * results with an equal recipe stay valid.
 */
export function typesFingerprint({ nodes }: Definition, find: FindType): string {
  const known = new Set<string>()
  for (const node of Object.values(nodes)) {
    const type = find(node.type, node.version)
    if (!type) continue
    const provider = type.provider(withDefaults(type.params, node.params))
    known.add(JSON.stringify([type.type, type.version, type.implementation, provider]))
  }
  return hashOf([...known].toSorted())
}

/**
 * Nodes whose earlier results have to be checked again: nodes rolled again as a whole, nodes whose result does not follow
 * from their recipe (gates, calls of external services), failed nodes, and all nodes after any of these.
 */
export function staleNodes(
  definition: Definition,
  summaries: ReadonlyMap<string, NodeSummary>,
  rolled: readonly UnitName[],
  types: NodeTypes,
): string[] {
  const again = Object.entries(definition.nodes).filter(([, node]) => {
    const known = infoOf(node, types)
    return !known || known.gate || !(known.cacheable || known.pure)
  })
  const undone = [...summaries].filter(([, summary]) => !hasAllOutputs(summary)).map(([id]) => id)
  const nodes = new Set(rolled.map(({ node }) => node))
  const whole = rolled.filter(({ item }) => item === '').map(({ node }) => node)
  // If only some items of a node are rolled again, its other items stay valid.
  const stale = new Set([...again.map(([id]) => id), ...undone.filter((id) => !nodes.has(id)), ...whole])
  return [...stale.union(downstreamOf(definition, [...stale, ...undone, ...nodes]))]
}

/** What has to be scheduled in a run, given the stored progress of its nodes: nodes that are up to date are left out. */
export function stalenessOf(
  definition: Definition,
  scope: ReadonlySet<string>,
  summaries: ReadonlyMap<string, NodeSummary>,
): Staleness {
  const missing = [...scope].filter((id) => {
    const summary = summaries.get(id)
    return !summary || summary.stale || !hasAllOutputs(summary)
  })
  const after = downstreamOf(definition, missing)
  const open = new Set([...missing, ...after].filter((id) => scope.has(id)))
  const upToDate = new Map([...summaries].filter(([id]) => scope.has(id) && !open.has(id)))
  const isPartial = (id: string): boolean => {
    const summary = summaries.get(id)
    return !after.has(id) && summary !== undefined && !summary.stale && summary.items === summary.itemCount
  }
  const partial = new Map([...open].filter(isPartial).map((id) => [id, summaries.get(id)?.open ?? []]))
  return { upToDate, partial, needs: needsOf(definition, open, partial) }
}

/** A node that is scheduled as a whole needs all outputs of its predecessors; so does a node that takes a list whole. */
function needsOf(definition: Definition, open: ReadonlySet<string>, partial: Staleness['partial']): Needs {
  const whole = new Set([...open].filter((id) => !partial.has(id)))
  const positions = new Map<string, Set<number>>()
  const add = (id: string, items: readonly UnfinishedItem[]): void => {
    const known = positions.get(id) ?? new Set()
    positions.set(id, known.union(new Set(items.map(({ position }) => position))))
  }
  for (const [id, items] of partial) add(id, items)
  for (const { from, to } of definition.edges) {
    if (!open.has(to.node)) continue
    const items = partial.get(to.node)
    if (items && definition.nodes[to.node]?.each.includes(to.port)) add(from.node, items)
    else whole.add(from.node)
  }
  for (const id of whole) positions.delete(id)
  return { whole, positions }
}
