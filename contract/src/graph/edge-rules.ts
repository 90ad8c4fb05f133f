// In charge of which ports an edge may connect, in a complete definition and while somebody draws one.
import type { Definition, GraphEdge, GraphNode } from './definition.ts'
import { findPath, linksOf } from './graph-order.ts'
import type { NodeTypes } from './graph-rules.ts'
import type { NodeVersion } from './node-types.ts'
import { listOf, type PortSchema, portProblem } from './port-rules.ts'

/** The type of a node, at the node's version; undefined where it is unknown or dropped, or that version does not run. */
export function infoOf(node: GraphNode, types: NodeTypes): NodeVersion | undefined {
  const type = types.get(node.type)
  if (!type || type.replaced_by !== null) return undefined
  return type.version === node.version ? type : type.earlier.find(({ version }) => version === node.version)
}

/** Whether a port accepts several edges. */
export const isMany = (info: NodeVersion, port: string): boolean =>
  Object.hasOwn(info.inputs, port) && info.inputs[port]?.many === true

/** The schema of the values that an edge has to carry to a port; null where the node has no such port. */
export function inputSchema(node: GraphNode, info: NodeVersion, port: string): PortSchema | null {
  const declared = Object.hasOwn(info.inputs, port) ? info.inputs[port]?.schema : undefined
  if (declared === undefined && !info.open_inputs) return null
  return node.each.includes(port) ? listOf(declared ?? anything) : (declared ?? anything)
}

/** The schema of a literal value at a port; for a port that accepts several edges, a list of what each edge would carry. */
export function valueSchema(node: GraphNode, info: NodeVersion, port: string): PortSchema | null {
  const schema = inputSchema(node, info, port)
  return schema !== null && isMany(info, port) ? listOf(schema) : schema
}

/**
 * The schema of what one call receives at a port: one element if the node runs once per element. Null where there is no
 * such port.
 */
export function callSchema(info: NodeVersion, port: string): PortSchema | null {
  const declared = Object.hasOwn(info.inputs, port) ? info.inputs[port]?.schema : undefined
  if (declared === undefined) return info.open_inputs ? anything : null
  return isMany(info, port) ? listOf(declared) : declared
}

/** The schema of a port's outputs: lists where the node runs once per element. */
export function outputSchema(node: GraphNode, info: NodeVersion, port: string): PortSchema | null {
  const declared = Object.hasOwn(info.outputs, port) ? info.outputs[port]?.schema : undefined
  if (declared === undefined) return null
  return node.each.length > 0 ? listOf(declared) : declared
}

const anything = {}

type EdgeFault = { type: string; at: string[]; msg: string; ctx?: Record<string, unknown> }

/** What is wrong with an edge, regardless of the other edges. */
export function edgeFaults({ nodes }: Definition, types: NodeTypes, { from, to }: GraphEdge): EdgeFault[] {
  const source = Object.hasOwn(nodes, from.node) ? nodes[from.node] : undefined
  const sink = Object.hasOwn(nodes, to.node) ? nodes[to.node] : undefined
  const faults: EdgeFault[] = []
  if (!source) faults.push({ type: 'node_unknown', at: ['from', 'node'], msg: `There is no node “${from.node}”.` })
  if (!sink) faults.push({ type: 'node_unknown', at: ['to', 'node'], msg: `There is no node “${to.node}”.` })
  if (source && from.node === to.node) {
    faults.push({ type: 'self_loop', at: [], msg: `“${from.node}” cannot lead to itself.` })
  }
  const given = source && givenBy(source, types, from.port)
  const taken = sink && takenBy(sink, types, to.port)
  if (source && given === null) {
    const msg = `“${source.type}” has no output “${from.port}”.`
    faults.push({ type: 'port_unknown', at: ['from', 'port'], msg })
  }
  if (sink && taken === null) {
    faults.push({ type: 'port_unknown', at: ['to', 'port'], msg: `“${sink.type}” has no input “${to.port}”.` })
  }
  const problem = given === undefined || given === null || !taken ? null : knownProblem(given, taken)
  if (problem !== null) {
    const msg = `“${from.port}” of “${from.node}” does not fit “${to.port}” of “${to.node}”: ${problem}.`
    faults.push({ type: 'port_incompatible', at: [], msg })
  }
  return faults
}

/** The schema of a port's outputs; undefined where the node's type is not known, null where the node has no such port. */
function givenBy(node: GraphNode, types: NodeTypes, port: string): PortSchema | null | undefined {
  const info = infoOf(node, types)
  return info && outputSchema(node, info, port)
}

function takenBy(node: GraphNode, types: NodeTypes, port: string): PortSchema | null | undefined {
  const info = infoOf(node, types)
  return info && inputSchema(node, info, port)
}

/** Cached results of comparisons: a definition may have thousands of edges, but few kinds of ports. */
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

/** An identifier of an edge; edges between the same ports have the same one. */
export const edgeName = ({ from, to }: GraphEdge): string => JSON.stringify([from.node, from.port, to.node, to.port])

/**
 * A sentence that says why an edge cannot be added to a definition; null where it can. A literal value at the port is
 * no obstacle: the edge replaces it.
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
    return `The input “${port}” of “${node}” takes one edge, and there is one already.`
  }
  const path = findPath(linksOf(definition, 'down'), node, edge.from.node)
  if (!path) return null
  return `Nodes cannot wait for each other in a circle: ${[edge.from.node, ...path].join(' → ')}.`
}
