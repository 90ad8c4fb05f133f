// In charge of converting nodes and edges into those of React Flow. Unchanged nodes keep their objects, so that only changed nodes
// are drawn again in a graph with thousands of them.
import type { GraphEdge } from '@atelier/contract/graph/definition.ts'
import { edgeName } from '@atelier/contract/graph/edge-rules.ts'
import { type Edge, type Node, Position } from '@xyflow/react'
import type { RunBrief } from './briefs.ts'
import { type CardMode, type CardView, cardHeight, measure, newPort, portY } from './cards.ts'
import type { Point } from './doc.ts'

type CardData = { view: CardView; issues: number; brief: RunBrief | null; mark: string | null }
export type CardNode = Node<CardData, 'card'>
export type WireEdge = Edge<{ edge: GraphEdge; label: string | null }, 'wire'>

type Given = CardData & { at: Point; selected: boolean }
type Kept = Given & { node: CardNode }

/** Creates a function that converts all nodes. It remembers the results, and returns the same objects for unchanged nodes. */
export function createNodeList(mode: CardMode) {
  let kept = new Map<string, Kept>()
  return (given: readonly Given[]): CardNode[] => {
    const next = new Map<string, Kept>()
    for (const one of given) {
      const before = kept.get(one.view.id)
      next.set(one.view.id, before && isSame(before, one) ? before : { ...one, node: toNode(one, mode) })
    }
    kept = next
    return [...next.values()].map(({ node }) => node)
  }
}

const isSame = (before: Kept, now: Given): boolean =>
  before.view === now.view &&
  before.at === now.at &&
  before.selected === now.selected &&
  before.issues === now.issues &&
  before.brief === now.brief &&
  before.mark === now.mark

function toNode({ view, issues, brief, mark, at, selected }: Given, mode: CardMode): CardNode {
  const size = { width: measure.width, height: cardHeight(view, mode) }
  return {
    id: view.id,
    type: 'card',
    position: at,
    data: { view, issues, brief, mark },
    selected,
    ...size,
    // With the size stated here, React Flow need not measure the nodes before it can draw edges.
    measured: size,
    handles: handlesOf(view, mode, size.width),
  }
}

const half = 5

function handlesOf(view: CardView, mode: CardMode, width: number): NonNullable<CardNode['handles']> {
  const box = { width: 2 * half, height: 2 * half }
  const inputs = view.inputs.map(({ name }) => name)
  const taking = mode !== 'run' && view.open ? [...inputs, newPort] : inputs
  return [
    ...taking.map((id, index) => ({
      ...box,
      ...{ id, type: 'target' as const, position: Position.Left, x: -half, y: portY(index) - half },
    })),
    ...view.outputs.map(({ name: id }, index) => ({
      ...box,
      ...{ id, type: 'source' as const, position: Position.Right, x: width - half, y: portY(index) - half },
    })),
  ]
}

/**
 * Converts each edge whose two nodes exist; an edge that is in the list twice is converted once. `tone` returns a CSS class for the
 * looks of an edge, `labelOf` its label, or null for none.
 */
export function wiresOf(
  edges: readonly GraphEdge[],
  views: ReadonlyMap<string, CardView>,
  look: {
    selected: ReadonlySet<string>
    tone: (edge: GraphEdge) => string
    labelOf: (edge: GraphEdge) => string | null
  },
): WireEdge[] {
  const seen = new Set<string>()
  return edges.flatMap((edge): WireEdge[] => {
    const id = edgeName(edge)
    const [source, target] = [views.get(edge.from.node), views.get(edge.to.node)]
    if (seen.has(id) || !source || !target) return []
    seen.add(id)
    const kind = source.outputs.find(({ name }) => name === edge.from.port)?.kind ?? 'any'
    return [
      {
        id,
        type: 'wire',
        source: edge.from.node,
        sourceHandle: edge.from.port,
        target: edge.to.node,
        targetHandle: edge.to.port,
        className: `wire wire-${kind} ${look.tone(edge)}`,
        selected: look.selected.has(id),
        // The ends of a selected edge can be dragged to other ports.
        reconnectable: look.selected.has(id),
        data: { edge, label: look.labelOf(edge) },
        ariaLabel: `From ${edge.from.port} of ${edge.from.node} to ${edge.to.port} of ${edge.to.node}`,
      },
    ]
  })
}
