// In charge of finding the order, the dependencies and the cycles of a definition's nodes from its edges.
import type { Definition } from './definition.ts'

/**
 * Each node's id with the ids of its successors (`down`) or predecessors (`up`). There is one entry per edge, in declared order;
 * edges to or from unknown nodes are left out.
 */
export type Links = ReadonlyMap<string, readonly string[]>

export function linksOf({ nodes, edges }: Definition, direction: 'down' | 'up'): Links {
  const links = new Map<string, string[]>(Object.keys(nodes).map((id) => [id, []]))
  for (const { from, to } of edges) {
    const [begin, end] = direction === 'down' ? [from.node, to.node] : [to.node, from.node]
    if (links.has(end)) links.get(begin)?.push(end)
  }
  return links
}

/**
 * Returns the ids in topological order: each node comes after its predecessors. If several nodes become ready at the same time,
 * the one declared first comes first. Nodes on a cycle, and all nodes that depend on them, are left out.
 */
export function topologicalOrder(definition: Definition): string[] {
  const down = linksOf(definition, 'down')
  const waiting = new Map<string, number>([...down.keys()].map((id) => [id, 0]))
  for (const ends of down.values()) for (const end of ends) waiting.set(end, (waiting.get(end) ?? 0) + 1)
  const order = [...down.keys()].filter((id) => waiting.get(id) === 0)
  // The list is also the queue: nodes that become ready are added at its end during the loop.
  for (const id of order) {
    for (const end of down.get(id) ?? []) {
      const left = (waiting.get(end) ?? 0) - 1
      waiting.set(end, left)
      if (left === 0) order.push(end)
    }
  }
  return order
}

/** Returns the targets and all nodes that they depend on; without targets, all nodes. Unknown targets are left out. */
export function neededFor(definition: Definition, targets: readonly string[]): Set<string> {
  if (targets.length === 0) return new Set(Object.keys(definition.nodes))
  return reached(linksOf(definition, 'up'), targets)
}

/** All direct and indirect successors of the given nodes; a given node is included only if it follows another given node. */
export function downstreamOf(definition: Definition, ids: Iterable<string>): Set<string> {
  const down = linksOf(definition, 'down')
  return reached(
    down,
    [...ids].flatMap((id) => down.get(id) ?? []),
  )
}

function reached(links: Links, starts: readonly string[]): Set<string> {
  const found = new Set(starts.filter((id) => links.has(id)))
  for (const id of found) for (const end of links.get(id) ?? []) found.add(end)
  return found
}

/** The shortest path along the edges from one node to another, including both nodes; null if there is no path. */
export function findPath(down: Links, from: string, to: string): string[] | null {
  const cameFrom = new Map<string, string | null>([[from, null]])
  for (const id of cameFrom.keys()) {
    if (id === to) {
      const path: string[] = []
      for (let at: string | null = id; at !== null; at = cameFrom.get(at) ?? null) path.unshift(at)
      return path
    }
    for (const end of down.get(id) ?? []) if (!cameFrom.has(end)) cameFrom.set(end, id)
  }
  return null
}

/**
 * Finds cycles of two or more nodes; each is a path that starts and ends at the same node. Only one cycle is returned for each
 * strongly connected component, so there are never more cycles than nodes.
 */
export function findCycles(definition: Definition): string[][] {
  const down = linksOf(definition, 'down')
  const up = linksOf(definition, 'up')
  const taken = new Set<string>()
  const cycles: string[][] = []
  // Kosaraju's algorithm: start with the node that finished last. All nodes that can be reached backwards from it, and that
  // belong to no earlier component, form one component.
  for (const id of finishOrder(down).toReversed()) {
    if (taken.has(id)) continue
    const knot = new Set([id])
    for (const member of knot) for (const begin of up.get(member) ?? []) if (!taken.has(begin)) knot.add(begin)
    for (const member of knot) taken.add(member)
    if (knot.size > 1) cycles.push(cycleIn(knot, down))
  }
  return cycles
}

function cycleIn(knot: ReadonlySet<string>, down: Links): string[] {
  const within = new Map([...knot].map((id) => [id, (down.get(id) ?? []).filter((end) => knot.has(end) && end !== id)]))
  const [first = ''] = knot
  const [next = first] = within.get(first) ?? []
  return [first, ...(findPath(within, next, first) ?? [])]
}

/** Returns the ids in depth-first finishing order. The search is not recursive, because a chain of nodes may be long. */
function finishOrder(down: Links): string[] {
  const seen = new Set<string>()
  const finished: string[] = []
  for (const start of down.keys()) {
    if (seen.has(start)) continue
    seen.add(start)
    const stack = [{ id: start, next: 0 }]
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const end = down.get(top.id)?.[top.next]
      top.next += 1
      if (end === undefined) {
        finished.push(top.id)
        stack.pop()
      } else if (!seen.has(end)) {
        seen.add(end)
        stack.push({ id: end, next: 0 })
      }
    }
  }
  return finished
}
