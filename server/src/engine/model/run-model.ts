// In charge of the state of a run's nodes while the run is executed: which nodes are scheduled, what their units have
// returned, and what has to be executed next. Pure.
//
// A node is scheduled once all its predecessors have finished, because only then are its calls known: one call, one per
// element, or none. Its units are pending until they are executed. A node has finished when all its units have finished.
import type { Definition, GraphEdge, GraphNode } from '@atelier/contract/graph/definition.ts'
import { neededFor, topologicalOrder } from '@atelier/contract/graph/graph-order.ts'
import { withDefaults } from '@atelier/contract/graph/schema-check.ts'
import type { FindType, NodeType } from '../../nodes/node-type.ts'
import { type Call, callOf, type ItemCall, type Items, type Predecessor } from './inputs.ts'
import { type Roll, withOwnInputs } from './marks.ts'
import type { UnfinishedItem } from './node-summary.ts'
import { allStale, type Staleness } from './staleness.ts'
import { endsPiece, turn } from './turns.ts'
import {
  freshUnit,
  type Item,
  isOver,
  nameItems,
  occurrenceOf,
  statusOf,
  type UnitName,
  type UnitState,
  unitKey,
} from './units.ts'

/**
 * `work`: units to execute; `changed`: units whose state has changed and has to be saved; `gone`: items whose elements no
 * longer exist; `kept`: units whose earlier results are still valid.
 */
type Scheduled = { work: ReadyUnit[]; changed: UnitState[]; gone: UnitName[]; kept: UnitName[] }

/**
 * A unit that can be executed now, with the params and inputs of its call. `occurrence`: for an item, its number among items
 * with equal elements, from 0; for a node, 0.
 */
export type ReadyUnit = {
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
  /**
   * For a node that runs once per element, those of its items that were read or scheduled; null until its elements are known,
   * and for any other node.
   */
  items: Items | null
  /** How many units of the node have not finished; 0 if the node was up to date; null until the node is scheduled. */
  left: number | null
}

export type RunModel = {
  /** In topological order: every node comes after its predecessors. */
  readonly nodes: ReadonlyMap<string, NodeModel>
  /** Schedules every node whose predecessors have all finished. */
  schedule(): Promise<Scheduled>
  /**
   * Takes note of a unit's new state, which the caller has already set on `unit`. If all units of its node have then finished,
   * the node has finished, and its successors may become ready.
   */
  noteResult(unit: UnitState): void
  isOver(): boolean
}

export type ModelParts = {
  definition: Definition
  targets: readonly string[]
  find: FindType
  /**
   * The saved states of the run's units, by `unitKey`. They may come from a worker that was lost, from the time before the
   * run was parked, or from an earlier generation.
   */
  known: ReadonlyMap<string, UnitState>
  /** The rolls of the run, by `unitKey`; they contain the inputs that people set on units. */
  rolls?: ReadonlyMap<string, Pick<Roll, 'inputs'>>
  /** Whether the earlier result of the unit in `work` is still valid for the call that the unit would make now. */
  stillHolds: (work: ReadyUnit) => boolean | Promise<boolean>
  /** Which nodes to schedule; if absent, all that the targets need. */
  staleness?: Staleness
}

export function createModel(parts: ModelParts): RunModel {
  const { definition, targets, find, known, stillHolds: holds, staleness, rolls = noRolls } = parts
  const scope = neededFor(definition, targets)
  const { upToDate, partial } = staleness ?? allStale(scope)
  const nodes = new Map<string, NodeModel>()
  for (const id of topologicalOrder(definition)) {
    const spec = definition.nodes[id]
    if (!spec || !scope.has(id)) continue
    const type = find(spec.type, spec.version)
    // The caller has checked that every type exists. If the node were skipped here instead, its successors would be called
    // without their inputs.
    if (!type) throw new Error(`The node ${id} needs ${spec.type} version ${spec.version}, which is not here.`)
    const state = known.get(unitKey({ node: id, item: '' })) ?? freshUnit({ node: id, item: '' })
    nodes.set(id, { id, spec, type, state, items: null, left: null })
  }
  const itemsBefore = itemsByNode(known)
  for (const [id, { itemCount }] of upToDate) {
    const node = nodes.get(id)
    if (!node) continue
    node.left = 0
    if (itemCount !== null) node.items = { count: itemCount, units: byPosition(itemsBefore.get(id)) }
  }
  const inScope = definition.edges.filter(({ from, to }) => nodes.has(from.node) && nodes.has(to.node))
  const edgesInto = Map.groupBy(inScope, ({ to }) => to.node)
  const isScheduled = (id: string): boolean => !upToDate.has(id)
  const waitsFor = new Map(
    [...nodes.keys()].map((id) => [id, [...predecessors(edgesInto.get(id) ?? [])].filter(isScheduled).length]),
  )
  const followers = Map.groupBy(
    [...edgesInto].flatMap(([id, edges]) => [...predecessors(edges)].map((before) => ({ before, id }))),
    ({ before }) => before,
  )
  const readyNodes = [...nodes.keys()].filter((id) => isScheduled(id) && waitsFor.get(id) === 0)
  const unscheduled = new Set([...nodes.keys()].filter(isScheduled))
  let heldFromBefore = heldBy(upToDate)

  const predecessor = (id: string): Predecessor => {
    const node = nodes.get(id)
    if (!node) throw new Error(`The node ${id} is not part of the run.`)
    return { id, node: node.state, items: node.items }
  }
  const closed = (node: NodeModel): void => {
    for (const { id } of followers.get(node.id) ?? []) {
      const left = (waitsFor.get(id) ?? 0) - 1
      waitsFor.set(id, left)
      if (left === 0) readyNodes.push(id)
    }
  }

  return {
    nodes,
    async schedule() {
      const all: Scheduled = { work: [], changed: [], gone: [], kept: heldFromBefore }
      heldFromBefore = []
      for (let id = readyNodes.pop(); id !== undefined; id = readyNodes.pop()) {
        const node = nodes.get(id)
        if (!node) continue
        unscheduled.delete(id)
        const call = callOf({ id, node: node.spec, type: node.type }, edgesInto.get(id) ?? [], predecessor)
        const scheduled = await scheduleNode(node, call, {
          before: itemsBefore.get(id) ?? noItems,
          holds,
          rolls,
          only: partial.get(id),
        })
        all.work = all.work.concat(scheduled.work)
        all.changed = all.changed.concat(scheduled.changed)
        all.gone = all.gone.concat(scheduled.gone)
        all.kept = all.kept.concat(scheduled.kept)
        if (node.left === 0) closed(node)
      }
      return all
    },
    noteResult(unit) {
      const node = nodes.get(unit.node)
      if (!node || node.left === null || !isOver(unit)) return
      node.left -= 1
      if (node.left > 0) return
      if (node.items) node.state.status = statusOfItems(node.items)
      closed(node)
    },
    isOver: () => unscheduled.size === 0 && [...nodes.values()].every(({ left }) => left === 0),
  }
}

const predecessors = (edges: readonly GraphEdge[]): Set<string> => new Set(edges.map(({ from }) => from.node))

type ItemsBefore = ReadonlyMap<string, UnitState>
const noItems: ItemsBefore = new Map()
const noRolls: NonNullable<ModelParts['rolls']> = new Map()

function itemsByNode(known: ReadonlyMap<string, UnitState>): Map<string, Map<string, UnitState>> {
  const byNode = new Map<string, Map<string, UnitState>>()
  for (const unit of known.values()) {
    if (unit.item === '') continue
    const items = byNode.get(unit.node) ?? new Map<string, UnitState>()
    byNode.set(unit.node, items.set(unit.item, unit))
  }
  return byNode
}

const byPosition = (items: ItemsBefore = noItems): Map<number, UnitState> =>
  new Map([...items.values()].flatMap((unit) => (unit.position === null ? [] : [[unit.position, unit]])))

const statusOfItems = ({ units }: Items) => statusOf([...units.values()].map(({ status }) => status))

/**
 * The names of the nodes that are up to date. The first schedule returns them in `kept`, since their results are still valid. A
 * node that ran over an empty list has no results, so it is left out.
 */
const heldBy = (upToDate: Staleness['upToDate']): UnitName[] =>
  [...upToDate].filter(([, { itemCount }]) => itemCount !== 0).map(([node]) => ({ node, item: '' }))

type Before = {
  before: ItemsBefore
  holds: ModelParts['stillHolds']
  rolls: NonNullable<ModelParts['rolls']>
  /**
   * The items to schedule, if the node's elements have not changed; undefined if the elements may have changed, so that all
   * items have to be scheduled.
   */
  only: readonly UnfinishedItem[] | undefined
}
/**
 * Creates or updates the units of a node whose calls are known. A unit that finished in an earlier execution or generation
 * keeps its result if the result is still valid.
 */
async function scheduleNode(node: NodeModel, call: Call, { before, holds, rolls, only }: Before): Promise<Scheduled> {
  const params = withDefaults(node.type.params, node.spec.params)
  if (call.kind === 'each') {
    const scheduling = { node, call, params, before, holds, rolls }
    return only ? scheduleSome(scheduling, only) : scheduleAll(scheduling)
  }
  const gone = [...before.values()]
  const inputs = call.kind === 'once' ? withOwnInputs(call.inputs, rolls, node.state) : null
  const work = inputs ? { node, unit: node.state, params, inputs, occurrence: 0 } : null
  node.left = 0
  if (work && isOver(node.state) && (await holds(work))) {
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

/** Marks a unit as cached, because its earlier result is still valid: it costs nothing in this generation. */
const asCached = (unit: UnitState): UnitState =>
  Object.assign(unit, { status: 'cached', credits: 0, durationSeconds: 0, stale: false })

type Scheduling = Pick<Before, 'before' | 'holds' | 'rolls'> & {
  node: NodeModel
  call: Extract<Call, { kind: 'each' }>
  params: Record<string, unknown>
}

/** Schedules the items of a node whose elements may have changed. */
async function scheduleAll(scheduling: Scheduling): Promise<Scheduled> {
  const { node, call, before } = scheduling
  const calls = Array.from({ length: call.count }, (_, index) => call.at(index))
  const named = await nameItems(calls.map((one, index) => (one.kind === 'call' ? one.elements : { hole: index })))
  const scheduled: Scheduled = { work: [], changed: [], gone: [], kept: [] }
  const units = new Map<number, UnitState>()
  for (const [position, one] of calls.entries()) {
    if (endsPiece(position)) await turn()
    const item = named[position] ?? { item: '', occurrence: 0 }
    units.set(position, await scheduleItem(scheduling, { ...item, position }, one, scheduled))
  }
  node.items = { count: call.count, units }
  const names = new Set(named.map(({ item }) => item))
  scheduled.gone = [...before.values()].filter(({ item }) => !names.has(item))
  node.left = scheduled.work.length
  const isNews = node.state.itemCount !== call.count || node.state.stale
  Object.assign(node.state, freshUnit(node.state), { status: statusOfItems(node.items), itemCount: call.count })
  if (isNews) scheduled.changed.push(node.state)
  return scheduled
}

/** Schedules some items of a node whose elements have not changed. */
async function scheduleSome(scheduling: Scheduling, only: readonly UnfinishedItem[]): Promise<Scheduled> {
  const { node, call, before } = scheduling
  const scheduled: Scheduled = { work: [], changed: [], gone: [], kept: [] }
  const units = byPosition(before)
  for (const [nth, { item, position }] of only.entries()) {
    if (endsPiece(nth)) await turn()
    const occurrence = occurrenceOf(item)
    units.set(position, await scheduleItem(scheduling, { item, occurrence, position }, call.at(position), scheduled))
  }
  node.items = { count: call.count, units }
  if (only.length < call.count) scheduled.kept.push(node.state)
  node.left = scheduled.work.length
  return scheduled
}

async function scheduleItem(
  { node, params, before, holds, rolls }: Scheduling,
  { item, occurrence, position }: Item & { position: number },
  call: ItemCall,
  scheduled: Scheduled,
): Promise<UnitState> {
  const name: UnitName = { node: node.id, item }
  const known = before.get(item)
  const unit = known ?? freshUnit(name, position)
  const isMoved = unit.position !== position
  unit.position = position
  const inputs = call.kind === 'call' ? withOwnInputs(call.inputs, rolls, name) : null
  const work = inputs ? { node, unit, params, inputs, occurrence } : null
  if (work && isOver(unit) && (await holds(work))) {
    scheduled.kept.push(unit)
    if (isMoved) scheduled.changed.push(asCached(unit))
    return unit
  }
  const isAnew = isOver(unit)
  if (!work || isAnew) Object.assign(unit, freshUnit(name, position))
  if (work) scheduled.work.push(work)
  else if (call.kind === 'skip') skip(unit, call.failed)
  // If the item's old state is no longer valid, its new state is saved no later than the node's own unit, because saving that
  // unit marks the node as not stale. If the item were saved later and this worker died before that, the next worker would take
  // the old state for a valid result.
  if (!known || !work || isAnew) scheduled.changed.push(unit)
  return unit
}

/** Marks a unit as skipped. `failed`: the error of the failed unit that it needs; null if a branch before it was not taken. */
function skip(unit: UnitState, failed: string | null): void {
  unit.status = 'skipped'
  unit.error = failed
  unit.message = failed === null ? 'Not needed: a branch before it was not taken.' : null
}
