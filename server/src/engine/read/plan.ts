// In charge of plans: a plan says what a start would do, without starting. It says which results are cached, which calls are
// free, and what the other calls would cost.
//
// Everybody with read access may request a plan, and the process that serves requests computes it. A plan is therefore
// limited in time and in the bytes that it reads, and lets other work run in between. What it does not find out within these
// limits stays unknown, and the plan says so.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { type MoneyRange, noMoney, sumOfMoney } from '@atelier/contract/money.ts'
import type { planOutcomes, RunPlan } from '@atelier/contract/runs.ts'
import {
  type CallCost,
  type CreditRange,
  type FindType,
  NodeFailure,
  type NodeFiles,
  type NodeType,
} from '../../nodes/node-type.ts'
import type { Db } from '../../platform/db.ts'
import { jsonSize, outputsTooLarge, refuseLargeInputs } from '../model/json-size.ts'
import { keyOf } from '../model/keys.ts'
import type { Answered, Roll } from '../model/marks.ts'
import { createModel, type NodeModel, type ReadyUnit } from '../model/run-model.ts'
import { turn } from '../model/turns.ts'
import { hashOf, type UnitState, unitKey } from '../model/units.ts'
import { findCachedWithin } from '../store/cache.ts'
import { findTaken } from '../store/takes.ts'

type Outcome = (typeof planOutcomes)[number]
type NodePlan = RunPlan['nodes'][string]

export type Planning = {
  db: Db
  runId: string
  find: FindType
  files: NodeFiles
  definition: unknown
  targets: readonly string[]
  rolls: readonly Roll[]
  answers: readonly Answered[]
  seed: readonly UnitState[]
  /** Whether the results of a run were not read for this plan because they are too large. */
  isUnread: boolean
  taskId: string | null
  /** The currency in which prices and costs are given. */
  currency: string
  /** The maximum bytes of JSON that one call of a node may return. */
  outputLimit: number
}

/** The maximum number of free calls that one plan executes, to learn the inputs of the nodes after them. */
const callLimit = 5000
const msLimit = 3000
/**
 * The maximum bytes of takes and cached results that one plan reads; also the maximum bytes of a unit's inputs if the plan is
 * to compute the unit's key or, at a gate, its question.
 */
const bytesLimit = 64 * 1024 * 1024
/** The maximum bytes of the inputs of a free call that a plan executes. */
const inputLimit = 16 * 1024 * 1024

export type PlanLimits = { calls: number; ms: number }

/**
 * What this plan may still use: calls, the time until which it may go on (on the clock of `performance.now`), and bytes.
 * `unknown`: node id → why the outputs of the node stay unknown. `keys`: the cache keys of the calls that are planned so far.
 */
type Budget = { calls: number; until: number; bytes: number; unknown: Map<string, string>; keys: Set<string> }

const isOver = ({ until }: Budget): boolean => performance.now() > until

/**
 * Plans a start: for each needed node, what the start would do, and the minimum and maximum of its cost. `message`: what
 * stays unknown, and why; null if nothing does.
 */
export async function planRun(
  planning: Planning,
  { calls, ms }: PlanLimits = { calls: callLimit, ms: msLimit },
): Promise<{ plan: RunPlan; message: string | null }> {
  const { definition, targets, find } = planning
  const budget: Budget = {
    calls,
    until: performance.now() + ms,
    bytes: bytesLimit,
    unknown: new Map(),
    keys: new Set(),
  }
  const rollOf = new Map(planning.rolls.map((roll) => [unitKey(roll), roll]))
  const model = createModel({
    definition: readDefinition(definition),
    targets,
    find,
    known: new Map(),
    rolls: rollOf,
    stillHolds: () => false,
  })
  const plans = new Map<string, NodePlan>()
  for (let opened = await model.schedule(); opened.work.length > 0; opened = await model.schedule()) {
    for (const works of Map.groupBy(opened.work, ({ node }) => node.id).values()) {
      const [first] = works
      if (!first) continue
      const turnOfNode: Turn = { planning, node: first.node, works, budget, rollOf }
      const plan = await planNode(turnOfNode).catch(notCallable)
      plans.set(first.node.id, plan ?? unplanned(first.node))
      for (const { unit } of works) if (unit.outputs) model.noteResult(Object.assign(unit, { status: 'succeeded' }))
    }
  }
  const nodes: Record<string, NodePlan> = {}
  for (const node of model.nodes.values()) nodes[node.id] = plans.get(node.id) ?? unplanned(node)
  const all = Object.values(nodes)
  const money = { currency: planning.currency, ...asSent(sumOfMoney(all.map((one) => one.money))) }
  const plan = { nodes, credits: sum(all.map(({ credits }) => credits)), money }
  return { plan, message: messageOf(budget, planning.isUnread) }
}

/** A text about what stays unknown: results that were not read, or the first few nodes with unknown outputs; null if nothing. */
function messageOf({ unknown }: Budget, isUnread: boolean): string | null {
  if (isUnread)
    return 'The results there are were too large to be looked at: more may hold, and less be paid, than this says.'
  if (unknown.size === 0) return null
  const sentences = [...unknown].slice(0, 3).map(([id, why]) => `What comes after “${id}” stays unknown: ${why}`)
  return sentences.join(' ') + (unknown.size > 3 ? ` And ${unknown.size - 3} more nodes.` : '')
}

const tooLong = 'the plan ended before it was found out. The run itself has no such limit.'

/**
 * Returns null for an error by which a node type refuses the params or inputs of a node: the node would fail in the run as
 * well, and its outcome in the plan is `unknown`. Throws any other error.
 */
function notCallable(error: unknown): null {
  if (error instanceof NodeFailure) return null
  throw error
}

/** A node whose units are known, and what is needed to plan it. */
type Turn = {
  planning: Planning
  node: NodeModel
  works: readonly ReadyUnit[]
  budget: Budget
  rollOf: ReadonlyMap<string, Roll>
}

async function planNode(given: Turn): Promise<NodePlan> {
  const { node, works, budget } = given
  if (node.type.gate) return planGate(given, node.type.gate)
  const served = new Set<ReadyUnit>()
  const keys = new Map<ReadyUnit, string>()
  const isWhole = !node.type.cacheable || (await serveKnown(given, served, keys))
  if (!isWhole) budget.unknown.set(node.id, tooLong)
  const rest = works.filter((work) => !served.has(work))
  const { credits, money } = await estimate(given, rest, sharedOf(rest, keys, budget.keys))
  const { least, most } = credits
  if (most === 0 && node.type.pure) await callAll(given, rest)
  const outcome: Outcome = rest.length === 0 ? 'cached' : most === 0 ? 'free' : 'paid'
  // If the look-up was not complete, more results may be cached than were found, so the minimum cost is 0.
  return {
    ...{ outcome, calls: works.length, cached: served.size },
    credits: { least: isWhole ? least : 0, most },
    money: asSent({ ...money, least: isWhole ? money.least : 0 }),
  }
}

type Estimate = { credits: CreditRange; money: MoneyRange }

const moneyOf = (cost: CallCost | null): MoneyRange =>
  cost === null ? noMoney : { least: cost.least, most: cost.most, unpriced: cost.isKnown ? [] : [cost.model] }

const asSent = (money: MoneyRange) => ({ ...money, unpriced: [...money.unpriced] })

/** What the calls of `works` cost. Those in `shared` are also calls of nodes that are planned already, and may cost nothing here. */
async function estimate(
  { node: { type }, budget }: Turn,
  works: readonly ReadyUnit[],
  shared: ReadonlySet<ReadyUnit>,
): Promise<Estimate> {
  const ranges: CreditRange[] = []
  const costs: MoneyRange[] = []
  for (const work of works) {
    const { params, inputs } = work
    await turn()
    if (isOver(budget)) {
      const cost = type.cost(params, null)
      return {
        credits: sum([...ranges, { least: 0, most: type.estimate(params, null).most === 0 ? 0 : null }]),
        money: sumOfMoney([...costs, ...(cost === null ? [] : [{ ...moneyOf(cost), least: 0, most: null }])]),
      }
    }
    const [range, cost] = [type.estimate(params, inputs), moneyOf(type.cost(params, inputs))]
    ranges.push(shared.has(work) ? { ...range, least: 0 } : range)
    costs.push(shared.has(work) ? { ...cost, least: 0 } : cost)
  }
  return { credits: sum(ranges), money: sumOfMoney(costs) }
}

/**
 * Returns those of the works whose call is in `planned` already, and adds the keys of the others to it. Calls with the same key are
 * paid once: another one is paid too only if the first fails.
 */
function sharedOf(
  works: readonly ReadyUnit[],
  keys: ReadonlyMap<ReadyUnit, string>,
  planned: Set<string>,
): Set<ReadyUnit> {
  const shared = new Set<ReadyUnit>()
  for (const work of works) {
    const key = keys.get(work)
    if (key === undefined) continue
    if (planned.has(key)) shared.add(work)
    planned.add(key)
  }
  return shared
}

/** The maximum number of keys in one look-up. */
const lookUps = 200

/**
 * Looks for existing outputs of the units in `works`. Sets the outputs that are found, and adds these works to `served`, even
 * those whose cached outputs are too large to be read. Sets the keys of all works that it looks up in `keys`. Returns false if not
 * everything could be looked up and read.
 */
async function serveKnown(
  { planning, works, budget, rollOf }: Turn,
  served: Set<ReadyUnit>,
  keys: Map<ReadyUnit, string>,
): Promise<boolean> {
  const seeds = new Map(planning.seed.map((unit) => [unitKey(unit), unit]))
  let isWhole = true
  for (let from = 0; from < works.length && isWhole; from += lookUps) {
    const keyed: { work: ReadyUnit; key: string }[] = []
    for (const work of works.slice(from, from + lookUps)) {
      await turn()
      isWhole &&= !isOver(budget) && jsonSize(work.inputs) <= bytesLimit
      if (isWhole) keyed.push({ work, key: await keyOf(work, rollOf) })
    }
    const lookedUp = keyed.map(({ key }) => key)
    const taken = await findTaken(planning.db, planning.runId, lookedUp, budget.bytes)
    const found = await findCachedWithin(planning.db, lookedUp, budget.bytes - taken.bytes)
    budget.bytes -= taken.bytes + found.bytes
    for (const { work, key } of keyed) {
      const seeded = seeds.get(unitKey(work.unit))
      work.unit.outputs =
        taken.found.get(key)?.outputs ?? found.outputs.get(key) ?? (seeded?.cacheKey === key ? seeded.outputs : null)
      if (work.unit.outputs || found.unread.has(key)) served.add(work)
      keys.set(work, key)
    }
    isWhole &&= found.unread.size === 0
  }
  return isWhole
}

async function planGate(
  { planning: { answers }, node, works, budget }: Turn,
  gate: Extract<NodeType, { run?: never }>['gate'],
): Promise<NodePlan> {
  const given = new Map(answers.map((answer) => [unitKey(answer), answer]))
  for (const { unit, params, inputs } of works) {
    await turn()
    if (isOver(budget)) {
      budget.unknown.set(node.id, tooLong)
      break
    }
    refuseLargeInputs(inputs, bytesLimit)
    const answer = given.get(unitKey(unit))
    const request = gate.ask({ params, inputs })
    const accepted = answer?.asked === hashOf(request) ? gate.accept(request, answer.answer) : null
    if (accepted && 'outputs' in accepted) unit.outputs = accepted.outputs
  }
  const asks = works.some(({ unit }) => !unit.outputs)
  return {
    outcome: asks ? 'asks' : 'free',
    calls: works.length,
    cached: 0,
    credits: { least: 0, most: 0 },
    money: asSent(noMoney),
  }
}

/** Executes free calls, and sets their outputs. If a call fails or takes too long, outputs of its node stay unknown. */
async function callAll(given: Turn, works: readonly ReadyUnit[]): Promise<void> {
  const { node, budget } = given
  for (const work of works) {
    await turn()
    if (budget.calls <= 0 || isOver(budget)) return void budget.unknown.set(node.id, tooLong)
    budget.calls -= 1
    try {
      work.unit.outputs = await callOne(given, work)
    } catch (error) {
      budget.unknown.set(node.id, error instanceof NodeFailure ? error.message : 'it did not work out here.')
    }
  }
}

async function callOne({ planning: { files, taskId, outputLimit }, node: { type }, rollOf }: Turn, work: ReadyUnit) {
  if (type.gate) return null
  const { params, inputs } = work
  refuseLargeInputs(inputs, inputLimit)
  const { outputs } = await type.run({
    ...{ params, inputs, files, taskId, unit: '', checkpoint: null },
    seed: type.seeded ? await keyOf(work, rollOf) : '',
    signal: AbortSignal.timeout(1000),
    saveCheckpoint: () => Promise.resolve(),
    progress: () => undefined,
  })
  if (jsonSize(outputs) > outputLimit) throw new NodeFailure(outputsTooLarge(outputLimit))
  return outputs
}

/** The plan of a node that is not called at all, or whose calls are unknown because its inputs are unknown or refused. */
function unplanned({ type, spec, left }: NodeModel): NodePlan {
  if (left === 0)
    return { outcome: 'free', calls: 0, cached: 0, credits: { least: 0, most: 0 }, money: asSent(noMoney) }
  const { most } = type.estimate(spec.params, null)
  const isFree = most === 0
  const money = moneyOf(type.cost(spec.params, null))
  return {
    outcome: 'unknown',
    calls: null,
    cached: 0,
    credits: { least: 0, most: isFree ? 0 : spec.each.length > 0 ? null : most },
    money: asSent({ ...money, least: 0, most: money !== noMoney && spec.each.length > 0 ? null : money.most }),
  }
}

const sum = (ranges: readonly CreditRange[]): CreditRange => ({
  least: ranges.reduce((total, { least }) => total + least, 0),
  most: ranges.some(({ most }) => most === null) ? null : ranges.reduce((total, { most }) => total + (most ?? 0), 0),
})
