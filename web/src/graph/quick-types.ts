// In charge of finding the node types that fit at the end of a wire or within a wire, and the edges for a new node of each. Pure.
import { type Definition, type GraphEdge, type GraphNode, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { edgeName } from '@atelier/contract/graph/edge-rules.ts'
import { type NodeTypes, readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { NodeType } from '@atelier/contract/graph/node-types.ts'
import { type CardView, cardViews } from '../canvas/cards.ts'
import { freeId, newNode } from '../canvas/clip.ts'
import { type End, edgeToNode, joiningOf } from '../canvas/connecting.ts'
import type { Join } from './edit.ts'

/** Where a node is to be added: at the end of a dropped wire, within an existing wire, or at a position without any wire. */
export type Opening = { kind: 'end'; end: End } | { kind: 'wire'; edge: GraphEdge } | { kind: 'place' }

/**
 * A node type that fits, with the edges for connecting a new node. A lower `rank` is a better fit: 0 if the connected port of the
 * new node is for one kind of value, 1 if it is for any kind, 2 if it is an input that is added to the node for the wire, 3 if a run
 * would fail there. If the node is inserted into a wire, it has two connected ports, and the worse rank of the two counts.
 */
export type Fitting = { type: NodeType; id: string; joins: Join[]; rank: number }

export function fittingOf(definition: Definition, types: NodeTypes, type: NodeType, opening: Opening): Fitting | null {
  const [wish = type.type, node] = Object.entries(newNode(type, { x: 0, y: 0 }).nodes)[0] ?? []
  const id = freeId(wish, new Set(Object.keys(definition.nodes)))
  if (!isPlainObject(node)) return null
  const fresh = readDefinition({ nodes: { [id]: node } }).nodes[id]
  if (!fresh) return null
  switch (opening.kind) {
    case 'place':
      return { type, id, joins: [], rank: 0 }
    case 'end': {
      const joined = joinedTo(withNode(definition, id, fresh), types, id, opening.end)
      return joined && { type, id, joins: [joined.join], rank: joined.rank }
    }
    case 'wire': {
      const { edge } = opening
      const cut = { ...definition, edges: definition.edges.filter((one) => edgeName(one) !== edgeName(edge)) }
      const before = joinedTo(withNode(cut, id, fresh), types, id, { ...edge.from, side: 'source' })
      if (!before) return null
      const after = joinedTo(withJoin(withNode(cut, id, fresh), before.join), types, id, { ...edge.to, side: 'target' })
      return after && { type, id, joins: [before.join, after.join], rank: Math.max(before.rank, after.rank) }
    }
  }
}

/** All node types that fit, except those that were replaced by another type. */
export const fittings = (definition: Definition, types: NodeTypes, opening: Opening): Fitting[] =>
  [...types.values()]
    .filter(({ replaced_by }) => replaced_by === null)
    .flatMap((type) => fittingOf(definition, types, type, opening) ?? [])

function joinedTo(definition: Definition, types: NodeTypes, id: string, end: End): { join: Join; rank: number } | null {
  const view = cardViews(definition, types).get(id)
  const edge = view && edgeToNode(end, view, (one) => joiningOf(definition, types, one))
  if (!view || !edge) return null
  const { each, misfit, replaces } = joiningOf(definition, types, edge)
  return { join: { edge, each, replaces }, rank: misfit === null ? rankOf(view, edge) : 3 }
}

function rankOf({ id, inputs, outputs }: CardView, { from, to }: GraphEdge): number {
  const port =
    to.node === id ? inputs.find(({ name }) => name === to.port) : outputs.find(({ name }) => name === from.port)
  if (!port) return 2
  return port.kind === 'any' ? 1 : 0
}

const withNode = (definition: Definition, id: string, node: GraphNode): Definition => ({
  ...definition,
  nodes: { ...definition.nodes, [id]: node },
})

function withJoin(definition: Definition, { edge, each }: Join): Definition {
  const { node: id, port } = edge.to
  const node = definition.nodes[id]
  const nodes = node && each ? { ...definition.nodes, [id]: { ...node, each: [...node.each, port] } } : definition.nodes
  return { nodes, edges: [...definition.edges, edge] }
}
