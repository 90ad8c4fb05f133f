// In charge of computing the inputs of a node's calls: the value at each port, from the outputs of its predecessors. Pure.
import type { GraphEdge, GraphNode } from '@atelier/contract/graph/definition.ts'
import { spreadsLists } from '@atelier/contract/graph/edge-rules.ts'
import type { InputPort, NodeType } from '@atelier/contract/graph/node-types.ts'
import { hasOutputs, type UnitState } from './units.ts'

/**
 * An element of a list. It is a value; or a gap, because the item has no output (`failed`: the error of the item, or null if
 * no error is the reason, for example because its branch was not taken); or an element that was not read because nothing
 * needs it.
 */
type Element = { value: unknown } | { failed: string | null } | typeof unread
const unread = { unread: true } as const

/**
 * The output of a node at a port: one value, the list of its items' values, or nothing. `failed`: the error because of which
 * there is nothing; null if no error is the reason.
 */
type PortValue =
  | { kind: 'value'; value: unknown }
  | { kind: 'list'; elements: Element[] }
  | { kind: 'absent'; failed: string | null }

export type Call =
  | { kind: 'once'; inputs: Record<string, unknown> }
  | { kind: 'each'; count: number; at(position: number): ItemCall }
  | { kind: 'skip'; failed: string | null }
  | { kind: 'fail'; error: string }

/** `elements`: the values at the `each` ports, in the order of these ports; the item's name is made of them. */
export type ItemCall =
  | { kind: 'call'; elements: unknown[]; inputs: Record<string, unknown> }
  | { kind: 'skip'; failed: string | null }

/**
 * The items of a node: the number of all items, and units of items by position. Units that no scheduled node needs are
 * missing, since they were not read from the database.
 */
export type Items = { count: number; units: ReadonlyMap<number, UnitState> }

/** A predecessor of a node: its own state and, if it runs once per element, its items. */
export type Predecessor = { id: string; node: UnitState; items: Items | null }

const failedBefore = (id: string, error: string | null): string => `“${id}” did not succeed${error ? `: ${error}` : ''}`

/** The output of a finished unit at a port, as an element of a list. */
function elementOf(id: string, unit: UnitState | undefined, port: string): Element {
  if (!unit) return unread
  if (hasOutputs(unit) && unit.outputs) {
    return port in unit.outputs ? { value: unit.outputs[port] } : { failed: null }
  }
  if (unit.status === 'skipped') return { failed: unit.error }
  return { failed: unit.status === 'cancelled' ? `“${id}” was cancelled` : failedBefore(id, unit.error) }
}

/** The output of a finished node at a port. */
function portValue({ id, node, items }: Predecessor, port: string): PortValue {
  if (items) {
    const elements = Array.from({ length: items.count }, (_, index) => elementOf(id, items.units.get(index), port))
    return { kind: 'list', elements }
  }
  const element = elementOf(id, node, port)
  if ('value' in element) return { kind: 'value', value: element.value }
  if ('unread' in element) throw new Error(`What “${id}” made was not read.`)
  return { kind: 'absent', failed: element.failed }
}

type PortInput = { value: unknown } | { list: Element[] } | { skip: string | null } | null
export type TypedNode = { id: string; node: GraphNode; type: Pick<NodeType, 'inputs'> }

/** The calls of a node whose predecessors have all finished. `predecessor` returns the states of a predecessor by its id. */
export function callOf(
  { node, type }: TypedNode,
  edges: readonly GraphEdge[],
  predecessor: (id: string) => Predecessor,
): Call {
  const inputs: Record<string, unknown> = { ...node.inputs }
  const lists = new Map<string, Element[]>()
  for (const [port, into] of Map.groupBy(edges, ({ to }) => to.port)) {
    const found = gather(
      type.inputs[port],
      into.map(({ from }) => portValue(predecessor(from.node), from.port)),
      node.each.includes(port),
    )
    if (found === null) continue
    if ('skip' in found) return { kind: 'skip', failed: found.skip }
    if ('list' in found) lists.set(port, found.list)
    else inputs[port] = found.value
  }
  if (node.each.length === 0) return { kind: 'once', inputs }
  return perElement(node.each, inputs, lists)
}

/**
 * The input at a port, from the outputs that arrive there; null if no value arrives and the port is optional. If a predecessor
 * failed, the node is skipped even if the port is optional. A connected port that the node's type does not declare counts as
 * required.
 */
function gather(port: InputPort | undefined, values: readonly PortValue[], isEach: boolean): PortInput {
  const failure = values.find((value) => value.kind === 'absent' && value.failed !== null)
  if (failure?.kind === 'absent') return { skip: failure.failed }
  const present = values.filter((value) => value.kind !== 'absent')
  const [first] = present
  if (!first) return (port?.required ?? true) ? { skip: null } : null
  if (port?.many) return manyValues(port, present)
  if (first.kind === 'value') return { value: first.value }
  if (isEach) return { list: first.elements }
  return wholeList(first.elements, port?.accepts_holes ?? false)
}

/** The input at a port that accepts several edges: the values in the order of the edges; a list may count as its elements. */
function manyValues(port: InputPort, present: readonly PortValue[]): PortInput {
  const values: unknown[] = []
  for (const one of present) {
    const found = one.kind === 'list' ? wholeList(one.elements, port.accepts_holes) : one
    if ('skip' in found) return found
    if ('value' in found) values.push(found.value)
  }
  return { value: spreadsLists(port) ? values.flat() : values }
}

/**
 * A whole list as one value, for a port at which the node does not run once per element. An element that has no output, but
 * not because of an error, is left out. Failed elements are left out as well if the port accepts gaps and any value remains;
 * otherwise the node is skipped.
 */
function wholeList(elements: readonly Element[], acceptsHoles: boolean): { value: unknown } | { skip: string | null } {
  if (elements.some((element) => 'unread' in element))
    throw new Error('A list that is needed whole was not read whole.')
  const failures = elements.flatMap((element) =>
    'failed' in element && element.failed !== null ? [element.failed] : [],
  )
  const values = elements.flatMap((element) => ('value' in element ? [element.value] : []))
  const [first] = failures
  if (first !== undefined && (!acceptsHoles || values.length === 0)) {
    return { skip: `${failures.length} of ${elements.length} items are missing: ${first}` }
  }
  return { value: values }
}

/** One call for each element of the lists at the `each` ports; elements at the same position belong to the same call. */
function perElement(
  each: readonly string[],
  inputs: Record<string, unknown>,
  lists: ReadonlyMap<string, Element[]>,
): Call {
  const columns: { port: string; elements: Element[] }[] = []
  for (const port of each) {
    const elements = lists.get(port) ?? literalList(inputs[port])
    if (!elements)
      return {
        kind: 'fail',
        error: `The node runs once per element of “${port}”, which is not a list: connect a list to it.`,
      }
    columns.push({ port, elements })
  }
  const lengths = columns.map(({ port, elements }) => `“${port}” has ${elements.length}`)
  if (new Set(columns.map(({ elements }) => elements.length)).size > 1) {
    return { kind: 'fail', error: `The lists it runs over must be equally long: ${lengths.join(', ')}.` }
  }
  const count = columns[0]?.elements.length ?? 0
  return { kind: 'each', count, at: (index) => itemCall(columns, inputs, index) }
}

const literalList = (value: unknown): Element[] | null =>
  Array.isArray(value) ? value.map((element: unknown) => ({ value: element })) : null

function itemCall(
  columns: readonly { port: string; elements: Element[] }[],
  inputs: Record<string, unknown>,
  index: number,
): ItemCall {
  const own = { ...inputs }
  const elements: unknown[] = []
  let skipped: { failed: string | null } | null = null
  for (const { port, elements: column } of columns) {
    const element = column[index] ?? { failed: null }
    if ('value' in element) {
      own[port] = element.value
      elements.push(element.value)
    } else if ('unread' in element) {
      throw new Error(`Element ${index} of “${port}” was not read.`)
    } else if (skipped === null || skipped.failed === null) {
      skipped = { failed: element.failed }
    }
  }
  return skipped ? { kind: 'skip', ...skipped } : { kind: 'call', elements, inputs: own }
}
