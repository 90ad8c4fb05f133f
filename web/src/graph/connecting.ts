// In charge of what it means to join two ends on the canvas. Pure.
import type { GraphEdge } from '@atelier/contract/definition.ts'
import { type CardView, newPort } from './cards.ts'

type End = { node: string; port: string; side: 'source' | 'target' }

/** The edge between two ends, in whatever order they were touched; null where both are of the same side. */
export function edgeBetween(one: End, other: End): GraphEdge | null {
  if (one.side === other.side) return null
  const [from, to] = one.side === 'source' ? [one, other] : [other, one]
  return { from: { node: from.node, port: from.port }, to: { node: to.node, port: to.port } }
}

/** An edge to the place of a new input makes one: named after what it brings, if that is free. */
export function named(edge: GraphEdge, view: CardView | undefined): GraphEdge {
  if (edge.to.port !== newPort || !view) return edge
  const taken = new Set(view.inputs.map(({ name }) => name))
  // What nothing leads to yet, such as a name in the template, is waiting for an edge.
  const waiting = view.inputs.find(({ fed, hasValue }) => !(fed || hasValue))
  const wish = /^[A-Za-z_]\w*$/.test(edge.from.port) ? edge.from.port : 'value'
  const port = waiting && view.inputs.length === 1 ? waiting.name : freeName(wish, taken)
  return { from: edge.from, to: { node: edge.to.node, port } }
}

function freeName(wish: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wish)) return wish
  for (let number = 2; ; number += 1) if (!taken.has(`${wish}_${number}`)) return `${wish}_${number}`
}
