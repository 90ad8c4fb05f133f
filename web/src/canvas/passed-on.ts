// In charge of finding out which kind of values an output gives on, if its node passes on what comes to it, whatever that is. Pure.
import type { Definition, GraphEdge } from '@atelier/contract/graph/definition.ts'
import { infoOf, outputSchema } from '@atelier/contract/graph/edge-rules.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { elementKind, type Kind } from './kinds.ts'

type Passing = { input: string; outputs: readonly string[] }

/**
 * The node types that pass values on: `outputs` give the value at `input`, or its elements. The schemas of these ports take anything, so
 * that the rules of graphs let each of these outputs lead to every input.
 */
export const passing: ReadonlyMap<string, Passing> = new Map([
  ['flow.if', { input: 'value', outputs: ['then', 'else'] }],
  ['gate.approve', { input: 'value', outputs: ['approved', 'rejected'] }],
  ['gate.choose', { input: 'options', outputs: ['chosen', 'first'] }],
  ['gate.edit', { input: 'value', outputs: ['value'] }],
  ['list.collect', { input: 'values', outputs: ['list'] }],
  ['list.pick', { input: 'list', outputs: ['picked', 'first'] }],
])

/**
 * The kind of the values that come out of an output, or of their elements if they are lists. Wires are followed upwards as long as
 * nodes pass on what comes; null if the kind is not known, or not the same for all wires.
 */
export function passedKind(definition: Definition, types: NodeTypes, from: GraphEdge['from']): Kind | null {
  const found = new Set<Kind | null>()
  const open = [from]
  const seen = new Set<string>()
  for (let end = open.pop(); end !== undefined; end = open.pop()) {
    const name = JSON.stringify([end.node, end.port])
    if (seen.has(name)) continue
    seen.add(name)
    const into = feedsOf(definition, end)
    if (into.length > 0) open.push(...into)
    else found.add(ownKind(definition, types, end))
  }
  const [kind = null, ...others] = found
  return others.length === 0 ? kind : null
}

/** The outputs that lead to the input that the output `end` passes on; none if its node does not pass on anything. */
function feedsOf({ nodes, edges }: Definition, end: GraphEdge['from']): GraphEdge['from'][] {
  const passed = passing.get(nodes[end.node]?.type ?? '')
  if (!passed?.outputs.includes(end.port)) return []
  const into = leadingTo(edges).get(end.node) ?? []
  return into.filter(({ to }) => to.port === passed.input).map(({ from }) => from)
}

/**
 * The edges that lead to each node. Kept with the edges of a definition: while a wire is drawn, the kinds of many outputs are asked for,
 * and a graph can have 10,000 edges.
 */
function leadingTo(edges: readonly GraphEdge[]): ReadonlyMap<string, GraphEdge[]> {
  const known = sorted.get(edges)
  if (known) return known
  const found = Map.groupBy(edges, ({ to }) => to.node)
  sorted.set(edges, found)
  return found
}
const sorted = new WeakMap<readonly GraphEdge[], Map<string, GraphEdge[]>>()

function ownKind({ nodes }: Definition, types: NodeTypes, { node: id, port }: GraphEdge['from']): Kind | null {
  const node = nodes[id]
  const info = node && infoOf(node, types)
  const kind = node && info ? elementKind(outputSchema(node, info, port)) : 'any'
  return kind === 'any' ? null : kind
}
