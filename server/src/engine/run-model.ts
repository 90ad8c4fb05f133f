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

/** `changed`: states that are other than they were; `gone`: items whose elements are gone; `kept`: results that still hold. */
export type Opened = { work: Work[]; changed: UnitState[]; gone: UnitName[]; kept: UnitState[] }

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
  open(): Opened
  /** Tells that a unit has been performed, or asks a person. Its state has been changed in place. */
  settled(unit: UnitState): void
  isOver(): boolean
}

export type ModelParts = {
  definition: Definition
  targets: readonly string[]
  find: (type: string) => NodeType | undefined
  /** What is known of its units from before, by `unitKey`: of a worker that died, from before a gate, of earlier generations. */
  known: ReadonlyMap<string, UnitState>
  /** Whether what a unit came to before still holds for what it is called with now. */
  holds: (work: Work) => boolean
}

export function createModel({ definition, targets, find, known, holds }: ModelParts): RunModel {
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
  const itemsBefore = itemsByNode(known)
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
      const all: Opened = { work: [], changed: [], gone: [], kept: [] }
      for (let id = openable.pop(); id !== undefined; id = openable.pop()) {
        const node = nodes.get(id)
        if (!node) continue
        unopened.delete(id)
        const call = callOf({ id, node: node.spec, type: node.type }, edgesInto.get(id) ?? [], given)
        const opened = openNode(node, call, itemsBefore.get(id) ?? noItems, holds)
        all.work = all.work.concat(opened.work)
        all.changed = all.changed.concat(opened.changed)
        all.gone = all.gone.concat(opened.gone)
        all.kept = all.kept.concat(opened.kept)
        if (node.left === 0) closed(node)
      }
      return all
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

type ItemsBefore = ReadonlyMap<string, UnitState>
const noItems: ItemsBefore = new Map()

function itemsByNode(known: ReadonlyMap<string, UnitState>): Map<string, Map<string, UnitState>> {
  const byNode = new Map<string, Map<string, UnitState>>()
  for (const unit of known.values()) {
    if (unit.item === '') continue
    const items = byNode.get(unit.node) ?? new Map<string, UnitState>()
    byNode.set(unit.node, items.set(unit.item, unit))
  }
  return byNode
}

type Holds = ModelParts['holds']

/** Sets up the units of a node whose call is known. Those that were over before stay so, as long as that holds. */
function openNode(node: NodeModel, call: Call, before: ItemsBefore, holds: Holds): Opened {
  const params = withDefaults(node.type.params, node.spec.params)
  if (call.kind === 'each') return openItems(node, call.items, { params, before, holds })
  const gone = [...before.values()]
  const work = call.kind === 'once' ? { node, unit: node.state, params, inputs: call.inputs, occurrence: 0 } : null
  node.left = 0
  if (work && isOver(node.state) && holds(work)) {
    const seen = node.state.stale ? [asCached(node.state)] : []
    return { work: [], changed: seen, gone, kept: [node.state] }
  }
  if (work) {
    node.left = 1
    if (isOver(node.state)) Object.assign(node.state, freshUnit(node.state))
    return { work: [work], changed: [], gone, kept: [] }
  }
  Object.assign(node.state, freshUnit(node.state))
  if (call.kind === 'fail') Object.assign(node.state, { status: 'failed', error: call.error })
  else if (call.kind === 'skip') skip(node.state, call.failed)
  return { work: [], changed: [node.state], gone, kept: [] }
}

/** What a unit that was looked at again shows: served, and nothing paid. */
const asCached = (unit: UnitState): UnitState =>
  Object.assign(unit, { status: 'cached', credits: 0, durationSeconds: 0, stale: false })

type ItemCalls = Extract<Call, { kind: 'each' }>['items']
type Before = { params: Record<string, unknown>; before: ItemsBefore; holds: Holds }

function openItems(node: NodeModel, calls: ItemCalls, { params, before, holds }: Before): Opened {
  const named = nameItems(calls.map((call, index) => (call.kind === 'call' ? call.elements : { hole: index })))
  const opened: Opened = { work: [], changed: [], gone: [], kept: [] }
  node.items = calls.map((call, position) => {
    const { item, occurrence } = named[position] ?? { item: '', occurrence: 0 }
    const name: UnitName = { node: node.id, item }
    const known = before.get(item)
    const unit = known ?? freshUnit(name, position)
    const isMoved = unit.position !== position
    unit.position = position
    const work = call.kind === 'call' ? { node, unit, params, inputs: call.inputs, occurrence } : null
    if (work && isOver(unit) && holds(work)) {
      opened.kept.push(unit)
      if (isMoved) opened.changed.push(asCached(unit))
      return unit
    }
    if (!work || isOver(unit)) Object.assign(unit, freshUnit(name, position))
    if (work) opened.work.push(work)
    else if (call.kind === 'skip') skip(unit, call.failed)
    if (!known || !work) opened.changed.push(unit)
    return unit
  })
  const names = new Set(named.map(({ item }) => item))
  opened.gone = [...before.values()].filter(({ item }) => !names.has(item))
  node.left = opened.work.length
  const isNews = node.state.itemCount !== calls.length || node.state.stale
  const status = statusOf(node.items.map((item) => item.status))
  Object.assign(node.state, freshUnit(node.state), { status, itemCount: calls.length })
  if (isNews) opened.changed.push(node.state)
  return opened
}

/** `error` is what tells a skip by failure from one by a branch that was not taken. */
function skip(unit: UnitState, failed: string | null): void {
  unit.status = 'skipped'
  unit.error = failed
  unit.message = failed === null ? 'Not needed: a branch before it was not taken.' : null
}
