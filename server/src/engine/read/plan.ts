// In charge of telling what a start would do without doing it: what is in the cache, what is free, what costs how much.
import { readDefinition } from '@atelier/contract/graph-rules.ts'
import type { planOutcomes, RunPlan } from '@atelier/contract/runs.ts'
import type { Static } from 'typebox'
import { type CreditRange, NodeFailure, type NodeFiles, type NodeType } from '../../nodes/node-type.ts'
import type { Db } from '../../platform/db.ts'
import { cacheKey } from '../model/keys.ts'
import type { Answered, Roll } from '../model/marks.ts'
import { createModel, type NodeModel, type Work } from '../model/run-model.ts'
import { hashOf, type UnitState, unitKey } from '../model/units.ts'
import { findCached } from '../store/cache.ts'

type Outcome = (typeof planOutcomes)[number]
type NodePlan = Static<typeof RunPlan>['nodes'][string]

export type Planning = {
  db: Db
  find: (type: string) => NodeType | undefined
  files: NodeFiles
  definition: unknown
  targets: readonly string[]
  rolls: readonly Roll[]
  answers: readonly Answered[]
  seed: readonly UnitState[]
  taskId: string | null
}

/** Free calls that wait for nothing are made, so that what comes after them is known; no more of them than this. */
const callLimit = 5000
const msLimit = 3000

/** Per node of the scope what it would come to; credits at least and at most. */
export async function planRun(planning: Planning): Promise<Static<typeof RunPlan>> {
  const { definition, targets, find } = planning
  const model = createModel({
    definition: readDefinition(definition),
    targets,
    find,
    known: new Map(),
    holds: () => false,
  })
  const plans = new Map<string, NodePlan>()
  const budget = { calls: callLimit, until: performance.now() + msLimit }
  for (let turn = model.open(); turn.work.length > 0; turn = model.open()) {
    for (const works of Map.groupBy(turn.work, ({ node }) => node.id).values()) {
      const [first] = works
      if (!first) continue
      const plan = await planNode(planning, first.node, works, budget).catch(notCallable)
      plans.set(first.node.id, plan ?? unplanned(first.node))
      for (const { unit } of works) if (unit.outputs) model.settled(Object.assign(unit, { status: 'succeeded' }))
    }
  }
  const nodes: Record<string, NodePlan> = {}
  for (const node of model.nodes.values()) nodes[node.id] = plans.get(node.id) ?? unplanned(node)
  return { nodes, credits: sum(Object.values(nodes).map(({ credits }) => credits)) }
}

/** A node whose params or inputs its type refuses fails in the run: nothing comes of it, and nothing is paid. */
function notCallable(error: unknown): null {
  if (error instanceof NodeFailure) return null
  throw error
}

type Budget = { calls: number; until: number }

async function planNode(
  planning: Planning,
  node: NodeModel,
  works: readonly Work[],
  budget: Budget,
): Promise<NodePlan> {
  if (node.type.gate) return planGate(planning, node.type.gate, works)
  const cached = node.type.cacheable ? await serveKnown(planning, node, works) : 0
  const rest = works.filter(({ unit }) => !unit.outputs)
  const credits = sum(rest.map(({ params, inputs }) => node.type.estimate(params, inputs)))
  if (credits.most === 0 && node.type.pure) await callAll(planning, node, rest, budget)
  const outcome: Outcome = rest.length === 0 ? 'cached' : credits.most === 0 ? 'free' : 'paid'
  return { outcome, calls: works.length, cached, credits }
}

/** Gives units the outputs they would be served. Answers how many. */
async function serveKnown(
  { db, rolls, seed }: Planning,
  { type, id }: NodeModel,
  works: readonly Work[],
): Promise<number> {
  const rollOf = new Map(rolls.map((roll) => [unitKey(roll), roll.roll]))
  const seeds = new Map(seed.map((unit) => [unitKey(unit), unit]))
  const keyed = works.map((work) => {
    const roll = rollOf.get(unitKey(work.unit)) ?? rollOf.get(unitKey({ node: id, item: '' })) ?? ''
    return {
      work,
      key: cacheKey({ type, params: work.params, inputs: work.inputs, occurrence: work.occurrence, roll }),
    }
  })
  const found = await findCached(
    db,
    keyed.map(({ key }) => key),
  )
  for (const { work, key } of keyed) {
    const seeded = seeds.get(unitKey(work.unit))
    work.unit.outputs = found.get(key) ?? (seeded?.cacheKey === key ? seeded.outputs : null)
  }
  return works.filter(({ unit }) => unit.outputs).length
}

function planGate(
  { answers }: Planning,
  gate: Extract<NodeType, { run?: never }>['gate'],
  works: readonly Work[],
): NodePlan {
  const given = new Map(answers.map((answer) => [unitKey(answer), answer]))
  for (const { unit, params, inputs } of works) {
    const request = gate.ask({ params, inputs })
    const answer = given.get(unitKey(unit))
    const accepted = answer?.asked === hashOf(request) ? gate.accept(request, answer.answer) : null
    if (accepted && 'outputs' in accepted) unit.outputs = accepted.outputs
  }
  const asks = works.some(({ unit }) => !unit.outputs)
  return { outcome: asks ? 'asks' : 'free', calls: works.length, cached: 0, credits: { least: 0, most: 0 } }
}

/** What does not work out here does not in the run either: what comes after it stays unknown. */
async function callAll(
  { files, taskId }: Planning,
  { type }: NodeModel,
  works: readonly Work[],
  budget: Budget,
): Promise<void> {
  if (type.gate) return
  for (const { unit, params, inputs } of works) {
    if (budget.calls <= 0 || performance.now() > budget.until) return
    budget.calls -= 1
    const result = await type
      .run({
        ...{ params, inputs, files, taskId, seed: '', unit: '', checkpoint: null },
        signal: AbortSignal.timeout(1000),
        saveCheckpoint: () => Promise.resolve(),
        progress: () => undefined,
      })
      .catch(() => null)
    unit.outputs = result?.outputs ?? null
  }
}

/** A node that never opened hangs on what is not known; or it was skipped, or could not be called. */
function unplanned({ type, spec, left }: NodeModel): NodePlan {
  if (left === 0) return { outcome: 'free', calls: 0, cached: 0, credits: { least: 0, most: 0 } }
  const { most } = type.estimate(spec.params, null)
  const isFree = most === 0
  return {
    outcome: 'unknown',
    calls: null,
    cached: 0,
    credits: { least: 0, most: isFree ? 0 : spec.each.length > 0 ? null : most },
  }
}

const sum = (ranges: readonly CreditRange[]): CreditRange => ({
  least: ranges.reduce((total, { least }) => total + least, 0),
  most: ranges.some(({ most }) => most === null) ? null : ranges.reduce((total, { most }) => total + (most ?? 0), 0),
})
