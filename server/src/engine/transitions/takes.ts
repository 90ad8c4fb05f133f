// In charge of making an earlier take the result of its unit again: which takes may be chosen, and which roll each choice sets.
//
// A take may be chosen if the call of its unit would now have the same inputs as when the take was made, apart from the roll.
// If the unit gets the take's roll again, its call has the take's cache key: the worker finds the outputs under this key, and
// nothing is paid.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { withDefaults } from '@atelier/contract/graph/schema-check.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { FindType } from '../../nodes/node-type.ts'
import type { Db } from '../../platform/db.ts'
import { type Call, callOf, type Items } from '../model/inputs.ts'
import { keyOf } from '../model/keys.ts'
import { type NewRoll, type Roll, withOwnInputs } from '../model/marks.ts'
import type { Needs } from '../model/staleness.ts'
import { occurrenceOf, type UnitName, type UnitState, unitKey } from '../model/units.ts'
import { readRollsOf } from '../store/marks.ts'
import type { LockedRun } from '../store/runs.ts'
import { keepTakes, readTakeMarks, setPinned, type TakeMark } from '../store/takes.ts'
import { neededBytes, readUnits } from '../store/unit-store.ts'

/** A unit with its present position; null for a node. */
export type PlacedUnit = UnitName & { position: number | null }
export type Choice = PlacedUnit & { take: string }

/**
 * The maximum bytes of results that are read to compute the keys of a node's calls. They are read in a process that serves
 * requests, so the limit is low.
 */
const readLimit = 64 * 1024 * 1024

/**
 * Computes the cache key that the call of a unit would have now with the roll and the inputs of a take. Null if the key cannot
 * be computed, because the inputs from other nodes are missing or too large.
 */
export type KeyAs = (unit: PlacedUnit, take: TakeMark) => Promise<string | null>

/**
 * Returns a function that computes such keys for the given units, which all belong to one node. The results of that node's
 * predecessors are read only once for all units.
 */
export async function keyAsOf(
  db: Db,
  run: { id: string; definition: unknown },
  find: FindType,
  [first, ...others]: readonly [PlacedUnit, ...PlacedUnit[]],
): Promise<KeyAs> {
  const unknown = () => Promise.resolve(null)
  const definition = readDefinition(run.definition)
  const { node } = first
  const spec = definition.nodes[node]
  const type = spec && find(spec.type, spec.version)
  if (!type) return unknown
  const needs = neededBefore(definition, node, new Set([first, ...others].map(({ position }) => position)))
  if ((await neededBytes(db, run.id, needs)) > readLimit) return unknown
  const call = callAfter(definition, node, type, await readUnits(db, run.id, needs))
  if (call === null) return unknown
  const [ofNode] = await readRollsOf(db, run.id, [{ node, item: '' }])
  const params = withDefaults(type.params, spec.params)
  return async (unit, { roll, inputs: own }) => {
    const inputs = inputsOf(call, unit)
    if (inputs === null) return null
    const rolls = new Map<string, Pick<Roll, 'roll' | 'inputs'>>()
    if (ofNode) rolls.set(unitKey(ofNode), ofNode)
    rolls.set(unitKey(unit), { roll, inputs: own })
    const occurrence = unit.item === '' ? 0 : occurrenceOf(unit.item)
    return keyOf({ node: { type }, unit, params, inputs: withOwnInputs(inputs, rolls, unit), occurrence }, rolls)
  }
}

function neededBefore({ nodes, edges }: Definition, node: string, placed: ReadonlySet<number | null>): Needs {
  const whole = new Set<string>()
  const positions = new Map<string, ReadonlySet<number>>()
  const numbers = new Set([...placed].filter((position) => position !== null))
  for (const { from, to } of edges) {
    if (to.node !== node) continue
    if (!placed.has(null) && nodes[node]?.each.includes(to.port)) positions.set(from.node, numbers)
    else whole.add(from.node)
  }
  for (const id of whole) positions.delete(id)
  return { whole, positions }
}

/** The calls of a node, from the results of its predecessors; null if one of them has no own unit, or is stale. */
function callAfter(
  definition: Definition,
  node: string,
  type: NonNullable<ReturnType<FindType>>,
  before: readonly UnitState[],
): Call | null {
  const spec = definition.nodes[node]
  const edges = definition.edges.filter(({ to }) => to.node === node)
  const own = new Map(before.filter(({ item }) => item === '').map((unit) => [unit.node, unit]))
  if (!spec || edges.some(({ from }) => own.get(from.node)?.stale !== false)) return null
  return callOf({ id: node, node: spec, type }, edges, (id) => {
    const state = own.get(id)
    if (!state) throw new Error(`The node ${id} has no state.`)
    return { id, node: state, items: itemsOf(state, before) }
  })
}

function inputsOf(call: Call, { position }: PlacedUnit): Record<string, unknown> | null {
  if (call.kind === 'once') return position === null ? call.inputs : null
  if (call.kind !== 'each' || position === null || position >= call.count) return null
  const one = call.at(position)
  return one.kind === 'call' ? one.inputs : null
}

function itemsOf({ node, itemCount }: UnitState, units: readonly UnitState[]): Items | null {
  if (itemCount === null) return null
  const items = units.filter((unit) => unit.node === node && unit.position !== null)
  return { count: itemCount, units: new Map(items.map((unit) => [unit.position ?? 0, unit])) }
}

/**
 * The roll that each choice of a take sets; null for a choice whose unit has no such take. Throws if the call of a unit would
 * not have the key of the chosen take: the take would not be found, and the call would be paid for again.
 */
export async function rollsOfChoices(
  db: Db,
  run: { id: string; definition: unknown },
  find: FindType,
  choices: readonly Choice[],
): Promise<(NewRoll | null)[]> {
  const marks = await readTakeMarks(db, run.id, choices)
  const keys = new Map<string, KeyAs>()
  for (const [node, [first, ...others]] of Map.groupBy(choices, (choice) => choice.node)) {
    if (first) keys.set(node, await keyAsOf(db, run, find, [first, ...others]))
  }
  const rolls: (NewRoll | null)[] = []
  for (const { take, ...unit } of choices) {
    const mark = marks.get(unitKey(unit))
    if (mark && (await keys.get(unit.node)?.(unit, mark)) !== take) throw outdated(unit)
    rolls.push(mark ? { ...unit, ...mark } : null)
  }
  return rolls
}

const outdated = ({ node, position }: PlacedUnit): Refusal =>
  new Refusal(
    'take_outdated',
    `The take of “${node}”${position === null ? '' : `, item ${position},`} was made of something else than what is there now, or that waits to be looked at again. Start the run, bring back what the take was made of, or roll again.`,
  )

/** Pins or unpins a take of a locked run. If a unit's present result is to be pinned, it is stored as a take before that. */
export async function pinTake(
  tx: Db,
  run: LockedRun,
  unit: PlacedUnit,
  { take, pinned }: { take: string; pinned: boolean },
): Promise<void> {
  const refusal = runRefuses.pin(run)
  if (refusal) throw new Refusal(refusal, `The run ${run.id} is deleted; undelete it before you pin what it made.`)
  if (await setPinned(tx, run.id, unit, take, pinned)) return
  const marks = await readTakeMarks(tx, run.id, [{ ...unit, take }])
  if (marks.size === 0)
    throw new Refusal('not_found', `What you name is no take of “${unit.node}” in the run ${run.id}.`)
  if (!pinned) return
  await keepTakes(tx, run.id, [unit])
  await setPinned(tx, run.id, unit, take, pinned)
}
