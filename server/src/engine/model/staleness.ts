// In charge of what of a run has to be checked again: what a start marks stale, and what its worker schedules. Pure.
//
// A node whose results are all there and are not stale, after nodes of which that is true too, is up to date: nothing it is
// made of has changed. Of a node after such ones that misses some of its items, those items are all there is to do.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { infoOf } from '@atelier/contract/graph/edge-rules.ts'
import { downstreamOf } from '@atelier/contract/graph/graph-order.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { withDefaults } from '@atelier/contract/graph/schema-check.ts'
import type { FindType } from '../../nodes/node-type.ts'
import { hasAllOutputs, type NodeSummary, type UnfinishedItem } from './node-summary.ts'
import { hashOf, type UnitName } from './units.ts'

/** Units to be read: of a node all of them, or the node itself and its items at some positions. */
export type Needs = { whole: ReadonlySet<string>; positions?: ReadonlyMap<string, ReadonlySet<number>> }

export type Staleness = {
  /** Nodes that are not scheduled: their results are valid. Those of their items that are not needed are not read. */
  upToDate: ReadonlyMap<string, NodeSummary>
  /** Of nodes whose elements are as they were: the items to schedule. */
  partial: ReadonlyMap<string, readonly UnfinishedItem[]>
  needs: Needs
}

export const allStale = (scope: ReadonlySet<string>): Staleness => ({
  upToDate: new Map(),
  partial: new Map(),
  needs: { whole: scope },
})

/**
 * The node types of a definition, as far as they decide what its nodes make. While it is the same, results held by recipe
 * go on to hold.
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
 * Nodes whose earlier results are looked at again before they count: what is rolled again as a whole, what cannot be
 * told from its recipe (a gate, a call of the world), what did not work out, and all that needs any of these.
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
  // Of a node of which single items are rolled, the others hold.
  const stale = new Set([...again.map(([id]) => id), ...undone.filter((id) => !nodes.has(id)), ...whole])
  return [...stale.union(downstreamOf(definition, [...stale, ...undone, ...nodes]))]
}

/** What is left to look at in a run whose nodes that are up to date are known to hold. */
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

/** A node that is scheduled as a whole needs all of what is before it, and so does one that takes a list whole. */
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
