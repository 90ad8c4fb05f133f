// In charge of deciding which nodes of a run have to be checked again. A start of the run marks these nodes as stale, and the
// worker that executes the run schedules them. Pure.
//
// A node is up to date if it has all its results, is not stale, and all its predecessors are up to date: then none of its
// inputs has changed. If the only thing that keeps a node from being up to date is that some of its stored items have no
// results, only those items are scheduled.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { infoOf } from '@atelier/contract/graph/edge-rules.ts'
import { downstreamOf } from '@atelier/contract/graph/graph-order.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { withDefaults } from '@atelier/contract/graph/schema-check.ts'
import type { FindType } from '../../nodes/node-type.ts'
import { hasAllOutputs, type NodeSummary, type UnfinishedItem } from './node-summary.ts'
import { hashOf, type UnitName } from './units.ts'

/**
 * Which units to read. `whole`: nodes of which all units are read. `positions`: node id → the positions of its items that are
 * read, together with the node's own unit.
 */
export type Needs = { whole: ReadonlySet<string>; positions?: ReadonlyMap<string, ReadonlySet<number>> }

export type Staleness = {
  /**
   * Node id → summary, for nodes that are not scheduled because their results are valid. Of their items, only those that a
   * scheduled node needs are read.
   */
  upToDate: ReadonlyMap<string, NodeSummary>
  /** Node id → the items to schedule, for nodes that are scheduled only in part, because their elements have not changed. */
  partial: ReadonlyMap<string, readonly UnfinishedItem[]>
  needs: Needs
}

export const allStale = (scope: ReadonlySet<string>): Staleness => ({
  upToDate: new Map(),
  partial: new Map(),
  needs: { whole: scope },
})

/**
 * A fingerprint of those members of a definition's node types that outputs depend on. While it stays the same, a result stays
 * valid for a call with the same params and inputs.
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
 * Nodes whose earlier results have to be checked again: nodes that are rolled again as a whole; gates, nodes of unknown
 * types, and nodes whose type is neither cacheable nor pure; nodes that lack a result, unless only items of them are rolled
 * again; and all nodes downstream of any of these, or of a node with a rolled item.
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
  // If only items of a node are rolled again, its other items stay valid.
  const stale = new Set([...again.map(([id]) => id), ...undone.filter((id) => !nodes.has(id)), ...whole])
  return [...stale.union(downstreamOf(definition, [...stale, ...undone, ...nodes]))]
}

/** Decides what has to be scheduled in a run, from the stored progress of its nodes. `scope`: the nodes that the targets need. */
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

/**
 * A node that is scheduled as a whole needs all outputs of its predecessors. A node of which only some items are scheduled
 * needs, at its `each` ports, only the elements of these items; at its other ports it needs all outputs.
 */
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
