// In charge of what it means to join two ends on the canvas. Pure.
import type { Definition, GraphEdge, GraphNode } from '@atelier/contract/definition.ts'
import { connectionProblem, infoOf, outputSchema } from '@atelier/contract/edge-rules.ts'
import type { NodeTypes } from '@atelier/contract/graph-rules.ts'
import { portProblem } from '@atelier/contract/port-rules.ts'
import { type CardView, newPort, templateTextsOf } from './cards.ts'

type End = { node: string; port: string; side: 'source' | 'target' }

/** The edge between two ends, in whatever order they were touched; null where both are of the same side. */
export function edgeBetween(one: End, other: End): GraphEdge | null {
  if (one.side === other.side) return null
  const [from, to] = one.side === 'source' ? [one, other] : [other, one]
  return { from: { node: from.node, port: from.port }, to: { node: to.node, port: to.port } }
}

/**
 * What an edge does that is added: the node runs once for each element of a list where it takes one at a time, or where
 * its template reads members of one. `isChoice`: the other way would do as well.
 */
export type Joining = { problem: string | null; each: boolean; isChoice: boolean }

export function joiningOf(definition: Definition, types: NodeTypes, edge: GraphEdge): Joining {
  const problem = connectionProblem(definition, types, edge)
  const { node: id, port } = edge.to
  const node = definition.nodes[id]
  if (!node || node.each.includes(port)) return { problem, each: false, isChoice: false }
  const nodes = { ...definition.nodes, [id]: { ...node, each: [...node.each, port] } }
  const fitsEach = () => connectionProblem({ ...definition, nodes }, types, edge) === null
  if (problem !== null)
    return fitsEach() ? { problem: null, each: true, isChoice: false } : { problem, each: false, isChoice: false }
  if (!isVariable(node, types, port) || !givesList(definition, types, edge) || !fitsEach()) {
    return { problem: null, each: false, isChoice: false }
  }
  return { problem: null, each: readsMembers(node, types, port), isChoice: true }
}

/** Whether a port is one of those that a template names: they take anything, lists too. */
function isVariable(node: GraphNode, types: NodeTypes, port: string): boolean {
  const info = infoOf(node, types)
  return info?.open_inputs === true && !Object.hasOwn(info.inputs, port)
}

function givesList({ nodes }: Definition, types: NodeTypes, { from }: GraphEdge): boolean {
  const source = nodes[from.node]
  const info = source && infoOf(source, types)
  const given = source && info ? outputSchema(source, info, from.port) : null
  // What may be anything is no list for certain.
  return (
    given !== null && portProblem(given, { type: 'array' }) === null && portProblem(given, { type: 'null' }) !== null
  )
}

/** `{{ row.market }}`: a list has no such member, its elements have. */
function readsMembers(node: GraphNode, types: NodeTypes, port: string): boolean {
  const member = new RegExp(`\\{[{%][^}]*\\b${port}\\.(?!size\\b|first\\b|last\\b)`)
  return templateTextsOf(node, infoOf(node, types)).some((text) => member.test(text))
}

/** An edge to the place of a new input makes one: named after what it brings, if that is free. */
export function named(edge: GraphEdge, view: CardView | undefined, fits: (edge: GraphEdge) => boolean): GraphEdge {
  if (edge.to.port !== newPort || !view) return edge
  const taken = new Set(view.inputs.map(({ name }) => name))
  const led = (port: string): GraphEdge => ({ from: edge.from, to: { node: edge.to.node, port } })
  // What nothing leads to yet, such as a name in the template, is waiting for an edge, where this one fits.
  const [only, ...others] = view.inputs
  if (only && others.length === 0 && !only.fed && !only.hasValue && fits(led(only.name))) return led(only.name)
  const wish = /^[A-Za-z_]\w*$/.test(edge.from.port) ? edge.from.port : 'value'
  return led(freeName(wish, taken))
}

function freeName(wish: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wish)) return wish
  for (let number = 2; ; number += 1) if (!taken.has(`${wish}_${number}`)) return `${wish}_${number}`
}
