// In charge of arranging the nodes of a graph in columns: each node is to the right of the nodes that it depends on, and the order
// within a column is chosen so that few edges cross. Pure.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { linksOf, topologicalOrder } from '@atelier/contract/graph/graph-order.ts'
import type { Point, Positions } from './doc.ts'

export type Size = { width: number; height: number }
const gap = { x: 88, y: 32 } as const

/** Positions for all nodes. Nodes on a cycle, and nodes that depend on them, are in the last column, so that users notice them. */
export function arranged(definition: Definition, sizeOf: (id: string) => Size): Record<string, Point> {
  const columns = orderedColumns(definition)
  const heights = columns.map((ids) => ids.reduce((sum, id) => sum + sizeOf(id).height + gap.y, -gap.y))
  const tallest = Math.max(0, ...heights)
  const places: Record<string, Point> = {}
  let x = 0
  for (const [index, ids] of columns.entries()) {
    let y = Math.round((tallest - (heights[index] ?? 0)) / 2)
    for (const id of ids) {
      places[id] = { x, y }
      y += sizeOf(id).height + gap.y
    }
    x += Math.max(0, ...ids.map((id) => sizeOf(id).width)) + gap.x
  }
  return places
}

/**
 * The ids of the nodes in each column of `columnsOf`, sorted within the column: the sweeps move each node to about the row of the
 * nodes that it is connected to.
 */
function orderedColumns(definition: Definition): string[][] {
  const columns = columnsOf(definition)
  const [up, down] = [linksOf(definition, 'up'), linksOf(definition, 'down')]
  for (let sweep = 0; sweep < 4; sweep += 1) {
    const forward = sweep % 2 === 0
    const links = forward ? up : down
    const place = new Map(columns.flatMap((ids) => ids.map((id, index) => [id, index] as const)))
    for (const ids of forward ? columns : columns.toReversed()) {
      const wish = new Map(ids.map((id, index) => [id, meanPlace(links.get(id) ?? [], place, index)]))
      ids.sort((one, other) => (wish.get(one) ?? 0) - (wish.get(other) ?? 0))
      for (const [index, id] of ids.entries()) place.set(id, index)
    }
  }
  return columns
}

function meanPlace(ids: readonly string[], place: ReadonlyMap<string, number>, own: number): number {
  if (ids.length === 0) return own
  return ids.reduce((sum, id) => sum + (place.get(id) ?? 0), 0) / ids.length
}

function columnsOf(definition: Definition): string[][] {
  const down = linksOf(definition, 'down')
  const up = linksOf(definition, 'up')
  const order = topologicalOrder(definition)
  const column = new Map<string, number>(order.map((id) => [id, 0]))
  for (const id of order) {
    for (const end of down.get(id) ?? [])
      if (column.has(end)) column.set(end, Math.max(column.get(end) ?? 0, (column.get(id) ?? 0) + 1))
  }
  // By now, the column of a node is the number of edges on the longest path to the node. Each node without incoming edges now moves
  // from column 0 to the column directly before the first node that uses its outputs.
  for (const id of order.toReversed()) {
    const ends = (down.get(id) ?? []).flatMap((end) => column.get(end) ?? [])
    if ((up.get(id) ?? []).length === 0 && ends.length > 0) column.set(id, Math.min(...ends) - 1)
  }
  const last = Math.max(-1, ...column.values()) + 1
  const columns = Array.from({ length: last + 1 }, (): string[] => [])
  for (const id of down.keys()) columns[column.get(id) ?? last]?.push(id)
  return columns.filter((ids) => ids.length > 0)
}

/** Adds positions for the nodes that have none: these nodes are arranged on their own, below all others. */
export function withPlaces(
  definition: Definition,
  positions: Positions,
  sizeOf: (id: string) => Size,
): Record<string, Point> {
  const lost = Object.keys(definition.nodes).filter((id) => !Object.hasOwn(positions, id))
  if (lost.length === 0) return { ...positions }
  const kept = Object.keys(definition.nodes).filter((id) => Object.hasOwn(positions, id))
  const nodes = Object.fromEntries(Object.entries(definition.nodes).filter(([id]) => !Object.hasOwn(positions, id)))
  const places = arranged({ nodes, edges: definition.edges }, sizeOf)
  const below = Math.max(0, ...kept.map((id) => (positions[id]?.y ?? 0) + sizeOf(id).height + 2 * gap.y))
  const moved = Object.entries(places).map(([id, { x, y }]) => [id, { x, y: y + below }] as const)
  return { ...positions, ...Object.fromEntries(moved) }
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/**
 * The node that an arrow key moves to from the node `from`: the nearest one in this direction, where a distance across the
 * direction counts 2.5 times. Null if no node lies in this direction.
 */
export function neighbour(positions: Positions, from: string, direction: Direction): string | null {
  const start = positions[from]
  if (!start) return null
  let best: { id: string; cost: number } | null = null
  for (const [id, at] of Object.entries(positions)) {
    const [dx, dy] = [at.x - start.x, at.y - start.y]
    const [ahead, aside] = direction === 'left' || direction === 'right' ? [dx, dy] : [dy, dx]
    const way = direction === 'left' || direction === 'up' ? -ahead : ahead
    if (id === from || way <= 1) continue
    const cost = way + 2.5 * Math.abs(aside)
    if (best === null || cost < best.cost) best = { id, cost }
  }
  return best?.id ?? null
}
