// In charge of what a run knows of its nodes while it executes: which are open, what their units came to, what is next. Pure.
//
// A node opens once everything it needs is over. Then its call is known: once, once per element, or not at all. Its
// units are pending until somebody performs them; a node is over when its units are.
import type { Definition, GraphEdge, GraphNode } from '@atelier/contract/definition.ts'
import { neededFor, topologicalOrder } from '@atelier/contract/graph-order.ts'
import { withDefaults } from '@atelier/contract/schema-check.ts'
import type { NodeType } from '../nodes/node-type.ts'
import { type Call, callOf, type Given } from './inputs.ts'
import { freshUnit, isOver, nameItems, statusOf, type UnitName, type UnitState, unitKey } from './units.ts'

/** A unit that can be performed: its state, and what it is called with. */
export type Work = {
  node: NodeModel
  unit: UnitState
  params: Record<string, unknown>
  inputs: Record<string, unknown>
  occurrence: number
}

export type NodeModel = {
  id: string
  spec: GraphNode
  type: NodeType
  state: UnitState
  /** Of a node that runs once per element, once it is open. */
  items: UnitState[] | null
  /** Units that are not over; null until the node is open. */
  left: number | null
}

export type RunModel = {
  /** In an order in which every node comes after what it needs. */
  readonly nodes: ReadonlyMap<string, NodeModel>
  /** Opens every node that can be opened now: what there is to do, and the states that changed by it. */
  open(): { work: Work[]; changed: UnitState[] }
  /** Tells that a unit has been performed, or asks a person. Its state has been changed in place. */
  settled(unit: UnitState): void
  isOver(): boolean
}

export type ModelParts = {
  definition: Definition
  targets: readonly string[]
  find: (type: string) => NodeType | undefined
  /** What is known of its units from before, by `unitKey`: of a worker that died, or from before a gate. */
  known: ReadonlyMap<string, UnitState>
}

export function createModel({ definition, targets, find, known }: ModelParts): RunModel {
  const scope = neededFor(definition, targets)
  const nodes = new Map<string, NodeModel>()
  for (const id of topologicalOrder(definition)) {
    const spec = definition.nodes[id]
    const type = spec && find(spec.type)
    if (!spec || !type || !scope.has(id)) continue
    const state = known.get(unitKey({ node: id, item: '' })) ?? freshUnit({ node: id, item: '' })
    nodes.set(id, { id, spec, type, state, items: null, left: null })
  }
  const inScope = definition.edges.filter(({ from, to }) => nodes.has(from.node) && nodes.has(to.node))
  const edgesInto = Map.groupBy(inScope, ({ to }) => to.node)
  const waitsFor = new Map([...nodes.keys()].map((id) => [id, predecessors(edgesInto.get(id) ?? []).size]))
  const followers = Map.groupBy(
    [...edgesInto].flatMap(([id, edges]) => [...predecessors(edges)].map((before) => ({ before, id }))),
    ({ before }) => before,
  )
  const openable = [...nodes.keys()].filter((id) => waitsFor.get(id) === 0)
  const unopened = new Set(nodes.keys())

  const given = (id: string): Given => {
    const node = nodes.get(id)
    if (!node) throw new Error(`The node ${id} is not part of the run.`)
    return { id, node: node.state, items: node.items }
  }
  const closed = (node: NodeModel): void => {
    for (const { id } of followers.get(node.id) ?? []) {
      const left = (waitsFor.get(id) ?? 0) - 1
      waitsFor.set(id, left)
      if (left === 0) openable.push(id)
    }
  }

  return {
    nodes,
    open() {
      const work: Work[] = []
      const changed: UnitState[] = []
      for (let id = openable.pop(); id !== undefined; id = openable.pop()) {
        const node = nodes.get(id)
        if (!node) continue
        unopened.delete(id)
        const call = callOf({ id, node: node.spec, type: node.type }, edgesInto.get(id) ?? [], given)
        const opened = openNode(node, call, known)
        work.push(...opened.work)
        changed.push(...opened.changed)
        if (node.left === 0) closed(node)
      }
      return { work, changed }
    },
    settled(unit) {
      const node = nodes.get(unit.node)
      if (!node || node.left === null || !isOver(unit)) return
      node.left -= 1
      if (node.left > 0) return
      if (node.items) node.state.status = statusOf(node.items.map(({ status }) => status))
      closed(node)
    },
    isOver: () => unopened.size === 0 && [...nodes.values()].every(({ left }) => left === 0),
  }
}

const predecessors = (edges: readonly GraphEdge[]): Set<string> => new Set(edges.map(({ from }) => from.node))

type Opened = { work: Work[]; changed: UnitState[] }

/** Sets up the units of a node whose call is known. Those that were over before stay so. */
function openNode(node: NodeModel, call: Call, known: ReadonlyMap<string, UnitState>): Opened {
  const params = withDefaults(node.type.params, node.spec.params)
  if (call.kind === 'each') return openItems(node, call.items, params, known)
  const unit = node.state
  node.left = 0
  if (isOver(unit)) return { work: [], changed: [] }
  if (call.kind === 'once') {
    node.left = 1
    return { work: [{ node, unit, params, inputs: call.inputs, occurrence: 0 }], changed: [] }
  }
  if (call.kind === 'fail') Object.assign(unit, { status: 'failed', error: call.error })
  else skip(unit, call.failed)
  return { work: [], changed: [unit] }
}

function openItems(
  node: NodeModel,
  calls: Extract<Call, { kind: 'each' }>['items'],
  params: Record<string, unknown>,
  known: ReadonlyMap<string, UnitState>,
): Opened {
  const named = nameItems(calls.map((call, index) => (call.kind === 'call' ? call.elements : { hole: index })))
  const opened: Opened = { work: [], changed: [] }
  node.items = calls.map((call, position) => {
    const { item, occurrence } = named[position] ?? { item: '', occurrence: 0 }
    const name: UnitName = { node: node.id, item }
    const before = known.get(unitKey(name))
    const unit = before ? { ...before, position } : freshUnit(name, position)
    if (isOver(unit)) return unit
    if (call.kind === 'skip') skip(unit, call.failed)
    else opened.work.push({ node, unit, params, inputs: call.inputs, occurrence })
    if (!before || call.kind === 'skip') opened.changed.push(unit)
    return unit
  })
  node.left = opened.work.length
  node.state.status = statusOf(node.items.map(({ status }) => status))
  if (node.state.itemCount !== calls.length) {
    node.state.itemCount = calls.length
    opened.changed.push(node.state)
  }
  return opened
}

/** `error` is what tells a skip by failure from one by a branch that was not taken. */
function skip(unit: UnitState, failed: string | null): void {
  unit.status = 'skipped'
  unit.error = failed
  unit.message = failed === null ? 'Not needed: a branch before it was not taken.' : null
}
