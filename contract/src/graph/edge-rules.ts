// In charge of deciding which ports an edge may connect, both in a complete definition and while a user draws an edge.
import type { Definition, GraphEdge, GraphNode } from './definition.ts'
import { findPath, linksOf } from './graph-order.ts'
import type { NodeTypes } from './graph-rules.ts'
import type { InputPort, NodeVersion } from './node-types.ts'
import { listOf, oneOrListOf, type PortSchema, portProblem } from './port-rules.ts'

/** The node's type at the node's version; undefined if the type is unknown or removed, or if that version is not supported. */
export function infoOf(node: GraphNode, types: NodeTypes): NodeVersion | undefined {
  const type = types.get(node.type)
  if (!type || type.replaced_by !== null) return undefined
  return type.version === node.version ? type : type.earlier.find(({ version }) => version === node.version)
}

/** Whether a port accepts several edges. */
export const isMany = (info: NodeVersion, port: string): boolean =>
  Object.hasOwn(info.inputs, port) && info.inputs[port]?.many === true

/**
 * Whether a port that accepts several edges takes an edge’s list element by element, beside the values of its other edges. If the
 * port’s values may be lists themselves, each list is one value.
 */
export const spreadsLists = ({ many, schema }: Pick<InputPort, 'many' | 'schema'>): boolean =>
  many && portProblem({ type: 'array' }, schema) !== null

/** The schema of the values that each edge into a port has to carry; null if the node has no such port. */
export function inputSchema(node: GraphNode, info: NodeVersion, port: string): PortSchema | null {
  const declared = Object.hasOwn(info.inputs, port) ? info.inputs[port]?.schema : undefined
  if (declared === undefined && !info.open_inputs) return null
  return node.each.includes(port) ? listOf(declared ?? anything) : (declared ?? anything)
}

/** The schema of a literal value at a port; if the port accepts several edges, a list of the values that edges would carry. */
export function valueSchema(node: GraphNode, info: NodeVersion, port: string): PortSchema | null {
  const schema = inputSchema(node, info, port)
  return schema !== null && isMany(info, port) ? listOf(schema) : schema
}

/**
 * The schema of the value that one call gets at a port: at a port in `each`, this is one element of the list. Null if the node has
 * no such port.
 */
export function callSchema(info: NodeVersion, port: string): PortSchema | null {
  const declared = Object.hasOwn(info.inputs, port) ? info.inputs[port]?.schema : undefined
  if (declared === undefined) return info.open_inputs ? anything : null
  return isMany(info, port) ? listOf(declared) : declared
}

/** The schema of an output port's value, which is a list if the node runs once per element. Null if there is no such port. */
export function outputSchema(node: GraphNode, info: NodeVersion, port: string): PortSchema | null {
  const declared = Object.hasOwn(info.outputs, port) ? info.outputs[port]?.schema : undefined
  if (declared === undefined) return null
  return node.each.length > 0 ? listOf(declared) : declared
}

const anything = {}

type EdgeFault = { type: string; at: string[]; msg: string; ctx?: Record<string, unknown> }

const longestQuote = 200

/**
 * Of a name with more than 200 characters only the beginning. Names of types and ports, and those at the ends of an edge, may have any
 * length, and sentences about edges are kept in memory. `join` copies the characters: a slice would keep the whole name in memory.
 */
export function shortened(name: string): string {
  if (name.length <= longestQuote) return name
  const kept = [...name.slice(0, longestQuote)]
  // The slice may have ended between the two halves of a character.
  if (kept.at(-1)?.isWellFormed() === false) kept.pop()
  return `${kept.join('')}…`
}

/** A name in quotation marks, shortened. */
export const quoted = (name: string): string => `“${shortened(name)}”`

/** Returns the faults that one edge has regardless of the other edges. */
export function edgeFaults({ nodes }: Definition, types: NodeTypes, { from, to }: GraphEdge): EdgeFault[] {
  const source = Object.hasOwn(nodes, from.node) ? nodes[from.node] : undefined
  const sink = Object.hasOwn(nodes, to.node) ? nodes[to.node] : undefined
  const faults: EdgeFault[] = []
  if (!source)
    faults.push({ type: 'node_unknown', at: ['from', 'node'], msg: `There is no node ${quoted(from.node)}.` })
  if (!sink) faults.push({ type: 'node_unknown', at: ['to', 'node'], msg: `There is no node ${quoted(to.node)}.` })
  if (source && from.node === to.node) {
    faults.push({ type: 'self_loop', at: [], msg: `${quoted(from.node)} cannot lead to itself.` })
  }
  const given = source && givenBy(source, types, from.port)
  const taken = sink && takenBy(sink, types, to.port)
  if (source && given === null) {
    const msg = `${quoted(source.type)} has no output ${quoted(from.port)}.`
    faults.push({ type: 'port_unknown', at: ['from', 'port'], msg })
  }
  if (sink && taken === null) {
    faults.push({
      type: 'port_unknown',
      at: ['to', 'port'],
      msg: `${quoted(sink.type)} has no input ${quoted(to.port)}.`,
    })
  }
  const problem = given === undefined || given === null || !taken ? null : knownProblem(given, taken)
  if (problem !== null) {
    const msg = `${quoted(from.port)} of ${quoted(from.node)} does not fit ${quoted(to.port)} of ${quoted(to.node)}: ${problem}.`
    faults.push({ type: 'port_incompatible', at: [], msg })
  }
  return faults
}

/** The schema of an output port's values; undefined if the node's type is unknown, null if the node has no such port. */
function givenBy(node: GraphNode, types: NodeTypes, port: string): PortSchema | null | undefined {
  const info = infoOf(node, types)
  return info && outputSchema(node, info, port)
}

/** The schema of what an edge into a port may bring, as `givenBy`: a port that spreads lists takes one value or a list of them. */
function takenBy(node: GraphNode, types: NodeTypes, port: string): PortSchema | null | undefined {
  const info = infoOf(node, types)
  const schema = info && inputSchema(node, info, port)
  const declared = info && Object.hasOwn(info.inputs, port) ? info.inputs[port] : undefined
  return schema && declared && spreadsLists(declared) ? oneOrListOf(schema) : schema
}

/** A cache of comparisons between port schemas: a definition may have thousands of edges, but few pairs of schemas. */
const compared = new WeakMap<object, WeakMap<object, string | null>>()

function knownProblem(given: PortSchema, taken: PortSchema): string | null {
  if (typeof given === 'boolean' || typeof taken === 'boolean') return portProblem(given, taken)
  const known = compared.get(given)?.get(taken)
  if (known !== undefined) return known
  const problem = portProblem(given, taken)
  const problems = compared.get(given) ?? new WeakMap<object, string | null>()
  compared.set(given, problems.set(taken, problem))
  return problem
}

/** Returns an identifier of an edge; two edges between the same ports have the same identifier. */
export const edgeName = ({ from, to }: GraphEdge): string => JSON.stringify([from.node, from.port, to.node, to.port])

/**
 * Returns a sentence that says why an edge cannot be added to a definition; null if it can. A literal value at the input does not
 * prevent the edge, because the edge replaces the value.
 */
export function connectionProblem(definition: Definition, types: NodeTypes, edge: GraphEdge): string | null {
  const [fault] = edgeFaults(definition, types, edge)
  if (fault) return fault.msg
  const { node, port } = edge.to
  const intoPort = definition.edges.filter(({ to }) => to.node === node && to.port === port)
  const isThere = intoPort.some(({ from }) => from.node === edge.from.node && from.port === edge.from.port)
  if (isThere) return 'These ports are connected already.'
  const sink = definition.nodes[node]
  const info = sink && infoOf(sink, types)
  if (info && !isMany(info, port) && intoPort.length > 0) {
    return `The input ${quoted(port)} of ${quoted(node)} takes one edge, and there is one already.`
  }
  const path = findPath(linksOf(definition, 'down'), node, edge.from.node)
  if (!path) return null
  return `Nodes cannot wait for each other in a circle: ${[edge.from.node, ...path].map(shortened).join(' → ')}.`
}
