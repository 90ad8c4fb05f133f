// In charge of deciding what happens when a user connects two ports on the canvas. Pure.

import type { Definition, GraphEdge, GraphNode } from '@atelier/contract/graph/definition.ts'
import {
  connectionProblem,
  edgeName,
  infoOf,
  inputSchema,
  isMany,
  outputSchema,
} from '@atelier/contract/graph/edge-rules.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { portProblem } from '@atelier/contract/graph/port-rules.ts'
import { freeName } from '../lib/numbered-name.ts'
import { type CardView, newPort, templateTextsOf } from './cards.ts'
import { elementKind, elementWords } from './kinds.ts'
import { passedKind } from './passed-on.ts'

export type End = { node: string; port: string; side: 'source' | 'target' }

/** The edge between two ports, whichever was selected first; null if both are inputs or both are outputs. */
export function edgeBetween(one: End, other: End): GraphEdge | null {
  if (one.side === other.side) return null
  const [from, to] = one.side === 'source' ? [one, other] : [other, one]
  return { from: { node: from.node, port: from.port }, to: { node: to.node, port: to.port } }
}

/**
 * What would happen if an edge were added. `problem`: why it cannot be added, or null. `each`: the edge would bring a list, and the
 * target node would run once for each element, because its port or its template takes one element at a time. `isChoice`: the user
 * may choose whether the node gets single elements or the whole list. `misfit`: the edge can be added, but what its output passes on
 * is a file and the port is for something else, or the other way round, so that a run would fail there, in words; null otherwise.
 * `replaces`: the edges that it takes the place of, because its input accepts one edge only.
 */
export type Joining = {
  problem: string | null
  each: boolean
  isChoice: boolean
  misfit: string | null
  replaces: readonly GraphEdge[]
}
export type Join = (edge: GraphEdge) => Joining

export function joiningOf(definition: Definition, types: NodeTypes, edge: GraphEdge): Joining {
  const misfit = misfitOf(definition, types, edge)
  const replaces = replacedBy(definition, types, edge)
  if (replaces.length === 0) return { ...waysToJoin(definition, types, edge), misfit, replaces }
  const { node: id, port } = edge.to
  const without = { ...definition, edges: definition.edges.filter((one) => !replaces.includes(one)) }
  const node = definition.nodes[id]
  if (!node?.each.includes(port)) return { ...waysToJoin(without, types, edge), misfit, replaces }
  // Where the node ran over the list of the edge before, it runs over this one too; if this one brings no list, no more.
  const kept = waysToJoin(without, types, edge)
  if (kept.problem === null) return { ...kept, each: true, misfit, replaces }
  const freed = { ...node, each: node.each.filter((name) => name !== port) }
  return { ...waysToJoin({ ...without, nodes: { ...definition.nodes, [id]: freed } }, types, edge), misfit, replaces }
}

/** The edges into the input of `edge`, if it accepts one edge only; none if `edge` is among them. */
function replacedBy({ nodes, edges }: Definition, types: NodeTypes, edge: GraphEdge): GraphEdge[] {
  const sink = nodes[edge.to.node]
  const info = sink && infoOf(sink, types)
  if (!info || isMany(info, edge.to.port)) return []
  const into = edges.filter(({ to }) => to.node === edge.to.node && to.port === edge.to.port)
  return into.some((one) => edgeName(one) === edgeName(edge)) ? [] : into
}

/** Files are told apart from everything else: a node fails at once where the one comes and the other is asked for. */
export function misfitOf(definition: Definition, types: NodeTypes, { from, to }: GraphEdge): string | null {
  const sink = definition.nodes[to.node]
  const info = sink && infoOf(sink, types)
  const taken = sink && info ? elementKind(inputSchema(sink, info, to.port)) : 'any'
  const given = taken === 'any' ? null : passedKind(definition, types, from)
  if (given === null || (given === 'file') === (taken === 'file')) return null
  return `it passes on ${elementWords(given)}, and ${elementWords(taken)} is asked for`
}

type Ways = Pick<Joining, 'problem' | 'each' | 'isChoice'>

function waysToJoin(definition: Definition, types: NodeTypes, edge: GraphEdge): Ways {
  const problem = connectionProblem(definition, types, edge)
  const { node: id, port } = edge.to
  const node = definition.nodes[id]
  if (!node || node.each.includes(port)) return { problem, each: false, isChoice: false }
  const info = infoOf(node, types)
  // The rules of graphs do not let a node run over a port that accepts several edges: such a port takes the whole list.
  if (info && isMany(info, port)) return { problem, each: false, isChoice: false }
  const nodes = { ...definition.nodes, [id]: { ...node, each: [...node.each, port] } }
  const fitsEach = () => connectionProblem({ ...definition, nodes }, types, edge) === null
  if (problem !== null)
    return fitsEach() ? { problem: null, each: true, isChoice: false } : { problem, each: false, isChoice: false }
  if (!takesAnything(node, types, port) || !givesList(definition, types, edge) || !fitsEach()) {
    return { problem: null, each: false, isChoice: false }
  }
  return { problem: null, each: readsElements(node, types, port), isChoice: true }
}

/** Whether the port takes both a whole list and a single value; also true for an input with a new name. */
function takesAnything(node: GraphNode, types: NodeTypes, port: string): boolean {
  const info = infoOf(node, types)
  if (!info) return false
  if (!Object.hasOwn(info.inputs, port)) return info.open_inputs
  const schema = info.inputs[port]?.schema
  return (
    schema !== undefined &&
    portProblem({ type: 'array' }, schema) === null &&
    portProblem({ type: 'string' }, schema) === null
  )
}

function givesList({ nodes }: Definition, types: NodeTypes, { from }: GraphEdge): boolean {
  const source = nodes[from.node]
  const info = source && infoOf(source, types)
  const given = source && info ? outputSchema(source, info, from.port) : null
  // An output without a known kind would fit every port. It may produce a list, but need not, and does not count as a list here.
  return (
    given !== null && portProblem(given, { type: 'array' }) === null && portProblem(given, { type: 'null' }) !== null
  )
}

/**
 * Whether the templates of a node use the input `port` as a single element of a list. False if one of them loops over the input, or
 * uses it as a list in another way, such as by its `size`.
 */
function readsElements(node: GraphNode, types: NodeTypes, port: string): boolean {
  const info = infoOf(node, types)
  if (!info || Object.hasOwn(info.inputs, port)) return false
  const texts = templateTextsOf(node, info)
  const asList = new RegExp(
    `\\bin\\s+${port}\\b|\\b${port}\\.(?:size|first|last)\\b|\\b${port}\\s*(?:\\[|\\|\\s*(?:join|size|first|last|map|sort|where|json)\\b)`,
  )
  return texts.length > 0 && !texts.some((text) => asList.test(text))
}

/**
 * Decides which input an edge to `newPort` is connected to: an input that fits and has no edge yet, or a new input. A new input has
 * the name of the edge's output, such as `rows`, or `row` if the node runs once for each element of a list.
 */
export function named(edge: GraphEdge, view: CardView | undefined, join: Join): GraphEdge {
  if (edge.to.port !== newPort || !view) return edge
  const taken = new Set(view.inputs.map(({ name }) => name))
  const led = (port: string): GraphEdge => ({ from: edge.from, to: { node: edge.to.node, port } })
  // `waiting`: inputs with neither an edge nor a value, such as names in a template. If the node's only input is among them, this
  // input gets the edge.
  const waiting = view.inputs.filter(({ fed, hasValue }) => !fed && !hasValue)
  const [only, ...others] = waiting
  if (only && others.length === 0 && view.inputs.length === 1 && join(led(only.name)).problem === null)
    return led(only.name)
  const wish = /^[A-Za-z_]\w*$/.test(edge.from.port) ? edge.from.port : 'value'
  const one = wish.replace(/(?<=\w\w)s$/, '')
  // If a waiting input already has the wanted name, because the template uses this name, the edge goes to that input.
  const asked = waiting.find(({ name }) => name === one || name === wish)
  if (asked && join(led(asked.name)).problem === null) return led(asked.name)
  const name = one !== wish && join(led(freeName(one, taken))).each ? one : wish
  return led(freeName(name, taken))
}

/**
 * The edge for a wire that was dropped on a node, but not on a port. `end`: the end of the wire where the user began to draw. The
 * edge joins it with the port of the node that fits best, or else with a new input, or else in place of another edge; null if
 * nothing fits.
 */
export function edgeToNode(end: End, view: CardView, join: Join): GraphEdge | null {
  const isForward = end.side === 'source'
  const ports = isForward ? view.inputs : view.outputs
  const found = ports
    .flatMap((port) => {
      const edge = edgeBetween(end, { node: view.id, port: port.name, side: isForward ? 'target' : 'source' })
      const joining = edge && join(edge)
      if (!joining || joining.problem !== null) return []
      const isFree = joining.replaces.length === 0
      return [{ edge, isFree, rank: rankOf(port) + (joining.misfit === null ? 0 : 8) }]
    })
    .toSorted((one, other) => one.rank - other.rank)
  const free = found.find(({ isFree }) => isFree)
  if (free) return free.edge
  if (isForward && view.open) {
    const made = named({ from: { node: end.node, port: end.port }, to: { node: view.id, port: newPort } }, view, join)
    if (join(made).problem === null) return made
  }
  return found[0]?.edge ?? null
}

/**
 * A lower rank is a better port: required before optional, one kind of value before any kind, and ports that have a value last. After
 * all of them come ports in which the run would fail, because the output is known to pass on another kind.
 */
const rankOf = ({ required, kind, hasValue }: CardView['inputs'][number]): number =>
  (required ? 0 : 2) + (kind === 'any' ? 1 : 0) + (hasValue ? 4 : 0)
