// In charge of what follows from a definition's edges: the order of its nodes, their dependencies, and cycles.
import type { Definition } from './definition.ts'

/**
 * Node id → its successors (`down`) or predecessors (`up`), one entry per edge, in declared order. Edges of unknown
 * nodes are left out.
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
 * Ids in topological order: each node comes after its predecessors. Among nodes that become ready together, the one
 * declared first comes first. Nodes on a cycle, and all after them, are left out.
 */
export function topologicalOrder(definition: Definition): string[] {
  const down = linksOf(definition, 'down')
  const waiting = new Map<string, number>([...down.keys()].map((id) => [id, 0]))
  for (const ends of down.values()) for (const end of ends) waiting.set(end, (waiting.get(end) ?? 0) + 1)
  const order = [...down.keys()].filter((id) => waiting.get(id) === 0)
  // The list grows during the loop: its end is the queue.
  for (const id of order) {
    for (const end of down.get(id) ?? []) {
      const left = (waiting.get(end) ?? 0) - 1
      waiting.set(end, left)
      if (left === 0) order.push(end)
    }
  }
  return order
}

/** The targets and all nodes they depend on; if no targets are given, all nodes. Unknown targets are left out. */
export function neededFor(definition: Definition, targets: readonly string[]): Set<string> {
  if (targets.length === 0) return new Set(Object.keys(definition.nodes))
  return reached(linksOf(definition, 'up'), targets)
}

/** All direct and indirect successors of these nodes; one of these nodes is included only if it follows another of them. */
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

/** The shortest path from one node to another along the edges, including both; null where there is none. */
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
 * Cycles of two nodes or more, each as a path from a node back to itself: one for each strongly connected component, so
 * that there are never more of them than nodes.
 */
export function findCycles(definition: Definition): string[][] {
  const down = linksOf(definition, 'down')
  const up = linksOf(definition, 'up')
  const taken = new Set<string>()
  const cycles: string[][] = []
  // Kosaraju's algorithm: from the node finished last, everything reachable backwards that is not taken yet is one
  // component.
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
  const first = [...down.keys()].find((id) => knot.has(id)) ?? ''
  const [next = first] = within.get(first) ?? []
  return [first, ...(findPath(within, next, first) ?? [])]
}

/** Ids in depth-first finishing order. Iterative, with its own stack, since a chain of nodes may be long. */
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
