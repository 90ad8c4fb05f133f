// In charge of expanding a short notation into the demo's graphs: it adds defaults, parses one-line edges, and computes the layout.
import type { Definition, GraphEdge, GraphNode } from '@atelier/contract/graph/definition.ts'
import { topologicalOrder } from '@atelier/contract/graph/graph-order.ts'

type Written = { type: string } & Partial<Omit<GraphNode, 'type' | 'version'>>

export type DemoGraph = {
  name: string
  description: string
  definition: Record<string, unknown>
  ui_state: Record<string, unknown>
}

/** Builds a graph from its nodes and edges. An edge is written like `rows.rows > copy.row`: node and port, then node and port. */
export function graph(
  name: string,
  description: string,
  nodes: Readonly<Record<string, Written>>,
  edges: readonly string[],
): DemoGraph {
  const definition = {
    nodes: Object.fromEntries(Object.entries(nodes).map(([id, node]) => [id, whole(node)])),
    edges: edges.map(edge),
  }
  return { name, description, definition: { schema: 1, ...definition }, ui_state: { nodes: positions(definition) } }
}

const whole = ({ type, params = {}, inputs = {}, each = [] }: Written): GraphNode => ({
  ...{ type, version: 1, params, inputs, each },
})

function edge(text: string): GraphEdge {
  const [, fromNode, fromPort, toNode, toPort] = /^(\w+)\.(\w+) > (\w+)\.(\w+)$/.exec(text) ?? []
  if (!fromNode || !fromPort || !toNode || !toPort) throw new Error(`The demo has an edge that is none: ${text}`)
  return { from: { node: fromNode, port: fromPort }, to: { node: toNode, port: toPort } }
}

const columnWidth = 340
const usualHeight = 260
/** The heights of node types that need more than `usualHeight` on the canvas, because they have many ports. */
const heights: Readonly<Record<string, number>> = { 'task.fields': 660, 'layout.render': 520 }

/**
 * Places each node one column to the right of the nodes on which it depends, and below the nodes that have been placed in that
 * column already.
 */
function positions(definition: Definition): Record<string, { x: number; y: number }> {
  const columns = new Map<string, number>()
  const filled = new Map<number, number>()
  const places = topologicalOrder(definition).map((id) => {
    const before = definition.edges.flatMap(({ from, to }) => (to.node === id ? [columns.get(from.node) ?? 0] : []))
    const column = before.length === 0 ? 0 : Math.max(...before) + 1
    const y = filled.get(column) ?? 0
    columns.set(id, column)
    filled.set(column, y + (heights[definition.nodes[id]?.type ?? ''] ?? usualHeight))
    return [id, { x: column * columnWidth, y }] as const
  })
  return Object.fromEntries(places)
}
