// In charge of what of a run its worker looks at: where all results held before, only what has changed since. Pure.
//
// A node whose results are all there and are not stale, after nodes of which that is true too, is settled: nothing it is
// made of has changed. Of a node after settled ones that misses some of its items, those items are all there is to do.
import type { Definition } from '@atelier/contract/definition.ts'
import { downstreamOf } from '@atelier/contract/graph-order.ts'
import { withDefaults } from '@atelier/contract/schema-check.ts'
import type { NodeType } from '../nodes/node-type.ts'
import { hasAllOutputs, type OpenItem, type Standing } from './standing.ts'
import { hashOf } from './units.ts'

/** Units to be read: of a node all of them, or the node itself and its items at some positions. */
export type Needs = { whole: ReadonlySet<string>; positions?: ReadonlyMap<string, ReadonlySet<number>> }

export type Look = {
  /** Nodes that are not opened: what they made holds. Those of their items that are not needed are not read. */
  settled: ReadonlyMap<string, Standing>
  /** Of nodes whose elements are as they were: the items to be opened. */
  partial: ReadonlyMap<string, readonly OpenItem[]>
  needs: Needs
}

export const everything = (scope: ReadonlySet<string>): Look => ({
  settled: new Map(),
  partial: new Map(),
  needs: { whole: scope },
})

type Find = (type: string) => NodeType | undefined

/**
 * The node types of a definition, as far as they tell what its nodes make. While it is the same, results held by recipe
 * go on to hold.
 */
export function typesMark({ nodes }: Definition, find: Find): string {
  const marks = new Set<string>()
  for (const node of Object.values(nodes)) {
    const type = find(node.type)
    if (!type) continue
    const provider = type.provider(withDefaults(type.params, node.params))
    marks.add(JSON.stringify([type.type, type.version, type.implementation, provider]))
  }
  return hashOf([...marks].toSorted())
}

/** What is left to look at in a run whose settled nodes are known to hold. */
export function lookAt(
  definition: Definition,
  scope: ReadonlySet<string>,
  standings: ReadonlyMap<string, Standing>,
): Look {
  const missing = [...scope].filter((id) => {
    const standing = standings.get(id)
    return !standing || standing.stale || !hasAllOutputs(standing)
  })
  const after = downstreamOf(definition, missing)
  const open = new Set([...missing, ...after].filter((id) => scope.has(id)))
  const settled = new Map([...standings].filter(([id]) => scope.has(id) && !open.has(id)))
  const isPartial = (id: string): boolean => {
    const standing = standings.get(id)
    return !after.has(id) && standing !== undefined && !standing.stale && standing.items === standing.itemCount
  }
  const partial = new Map([...open].filter(isPartial).map((id) => [id, standings.get(id)?.open ?? []]))
  return { settled, partial, needs: needsOf(definition, open, partial) }
}

/** Whoever opens as a whole needs all of what is before it, and so does whoever takes a list whole. */
function needsOf(definition: Definition, open: ReadonlySet<string>, partial: Look['partial']): Needs {
  const whole = new Set([...open].filter((id) => !partial.has(id)))
  const positions = new Map<string, Set<number>>()
  const add = (id: string, items: readonly OpenItem[]): void => {
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
