// In charge of starting runs, and of deciding what a start does in each state of the run. The transaction of a start also
// sends the run's wake-up.
import { randomUUID } from 'node:crypto'
import { type Definition, filesIn } from '@atelier/contract/graph/definition.ts'
import { neededFor } from '@atelier/contract/graph/graph-order.ts'
import { type NodeTypes, readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { type RunStanding, runRefuses } from '@atelier/contract/graph/run-rules.ts'
import type { Invocation, RunStart } from '@atelier/contract/runs.ts'
import { Invalid, Refusal } from '@atelier/contract/wire/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import type { FindType } from '../../nodes/node-type.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import type { Clearance } from '../model/clearance.ts'
import { issuesOf, type Signed } from '../model/issues.ts'
import { type Answered, type NewRoll, type Roll, rollsAfter } from '../model/marks.ts'
import type { NodeSummary } from '../model/node-summary.ts'
import { staleNodes } from '../model/staleness.ts'
import { freshUnit, type UnitName, unitKey } from '../model/units.ts'
import { copyMarks, deleteAnswers, readAnswers, readRolls, setRolls } from '../store/marks.ts'
import { readSummaries } from '../store/node-summaries.ts'
import type { RunQueue } from '../store/queue.ts'
import { recordStarter, reserve } from '../store/run-costs.ts'
import { insertRun, type LockedRun, lockRun, type RunRow, updateRun } from '../store/runs.ts'
import { copyTakes, keepTakes, markChosen, trimTakes } from '../store/takes.ts'
import { readSeed, resetUnits, saveUnits, useFiles } from '../store/unit-store.ts'
import { writeRunCheckpoint } from './history.ts'
import {
  type FoundItem,
  findItem,
  findNamed,
  goneTargetsProblems,
  inputProblems,
  mixedProblems,
  type Named,
  notThere,
  seedProblems,
  targetsOf,
  unitProblems,
  unknownNodes,
} from './start-problems.ts'
import { columnsFor } from './states.ts'
import { type Choice, type PlacedUnit, rollsOfChoices } from './takes.ts'

type StartDecision = 'in_place' | 'fork'

/** Decides whether a start uses the run itself or a fork of it. Throws if the state of the run does not allow a start. Pure. */
function decideStart(run: RunStanding & { id: string }): StartDecision {
  const refusal = runRefuses.start(run)
  if (refusal)
    throw new Refusal(
      refusal,
      run.deleted_at === null
        ? `The run ${run.id} is ${run.status}; it cannot be started before it rests or asks something.`
        : `The run ${run.id} is deleted; undelete it before you start it.`,
    )
  return run.exported_at === null ? 'in_place' : 'fork'
}

/**
 * Checks the cost of a start. Returns what the start reserves, and from whose budgets; null if it reserves nothing. Throws if
 * the start is not allowed.
 */
export type Clear = (tx: Db, run: RunRow, asked: RunStart) => Promise<Clearance | null>

export type Starting = {
  tx: Db
  queue: RunQueue
  types: NodeTypes
  find: FindType
  /** The maximum bytes of a run's results and takes together. */
  resultLimit: number
  actor: Actor
  /** Who starts the run: the start counts towards the budgets of this person or token. */
  ownerId: string
  /** The currency of the prices in the list of models. */
  currency: string
  clear: Clear
}

/**
 * Starts a locked run as requested, or only prepares it. Returns the id of the run that was started or prepared, which is that
 * of the given run or of a new fork of it.
 */
export async function startRun(starting: Starting, run: LockedRun, asked: RunStart): Promise<string> {
  const decision = decideStart(run)
  const checked = await checkStart(starting.tx, run, asked, starting)
  const executes = asked.execute !== false
  const clearance = executes ? await starting.clear(starting.tx, run, asked) : null
  const target = decision === 'fork' ? await fork(starting, run) : run
  // The present results of the units that get new rolls become takes. A fork has no units yet, so its takes are made from the
  // results of the original.
  await keepTakes(starting.tx, run.id, checked.rolled, target.id)
  await prepare(starting, target, checked)
  const begun = { id: target.id, generation: target.generation + 1 }
  if (clearance) await reserve(starting.tx, begun, clearance)
  else if (executes) await recordStarter(starting.tx, begun, starterOf(starting, asked))
  return target.id
}

const starterOf = ({ ownerId: personId, currency }: Starting, { max_cost: maxCost = null }: RunStart) => ({
  ...{ personId, currency, maxCost },
})

type Prepared = {
  asked: RunStart
  targets: readonly string[]
  definition: Definition
  summaries: ReadonlyMap<string, NodeSummary>
  /** The new rolls, of units to be rolled again and of units to be set back to a take. */
  rolled: readonly NewRoll[]
  /** The items that the request names and that the run itself has, while others are of the run whose results it reuses. */
  own: readonly FoundItem[]
  /** The takes that the request chooses; their units are also in `rolled`. */
  choices: readonly Choice[]
}

type Types = Pick<Starting, 'types' | 'find'>

/**
 * Validates a start request in three steps: the names and inputs in it, the definition, the chosen takes. Throws all errors
 * of the first step that finds any.
 */
async function checkStart(tx: Db, run: RunRow, asked: RunStart, { types, find }: Types): Promise<Prepared> {
  const definition = readDefinition(run.definition)
  const targets = targetsOf(run, asked, definition)
  const { regenerate = [], choose = [] } = asked
  const summaries = await readSummaries(tx, run.id)
  const { own, items } = await findNamed(tx, run, asked, definition, summaries)
  const problems = [
    ...goneTargetsProblems(run, asked, definition),
    ...unknownNodes(targets, definition, ['body', 'targets']),
    ...unitProblems(regenerate, definition, targets, { items, member: 'regenerate' }),
    ...unitProblems(choose, definition, targets, { items, member: 'choose' }),
    ...inputProblems(regenerate, definition, types),
    ...mixedProblems(asked, definition),
    ...(await seedProblems(tx, asked.from_run)),
  ]
  if (problems.length > 0) throw new Invalid(problems)
  refuseBroken(run, types, neededFor(definition, targets))
  const choices = choose.map((one) => ({ ...placedUnit(one, items), take: one.take }))
  const chosen = await rollsOfChoices(tx, run, find, choices)
  const unknown = choose.flatMap(({ take }, index) =>
    chosen[index] ? [] : [notThere(['body', 'choose', index, 'take'], 'the node or item has no such take', take)],
  )
  if (unknown.length > 0) throw new Invalid(unknown)
  const rolled = [...onceEach(regenerate).map((one) => rollOf(one, items)), ...chosen.filter((roll) => roll !== null)]
  return { asked, targets, definition, summaries, rolled, own, choices }
}

/** Removes repetitions: a unit that the request names several times is rolled once, with the inputs of the last entry. */
const onceEach = (regenerate: readonly Invocation[]): Invocation[] => [
  ...new Map(regenerate.map((one) => [JSON.stringify([one.node_id, one.item ?? null]), one])).values(),
]

/**
 * The maximum bytes of results of a run that a plan reads. Plans are computed in the process that serves requests, so the
 * limit is low.
 */
const planSeedLimit = 64 * 1024 * 1024

/**
 * What a plan has to know about a start with this request: the rolls as the start would set them, the answers without those
 * that the start would delete, and the results that the start could reuse.
 */
export async function planningOf(db: Db, run: RunRow, asked: RunStart, types: Types) {
  const { targets, rolled } = await checkStart(db, run, asked, types)
  const seedId = asked.from_run ?? run.seed_run_id ?? (run.exported_at === null ? null : run.id)
  const sources = asked.from_run ? [run.id, asked.from_run] : [run.id]
  const rolls: Roll[] = []
  const answers: Answered[] = []
  for (const id of sources.toReversed()) {
    rolls.push(...(await readRolls(db, id)))
    answers.push(...(await readAnswers(db, id)))
  }
  const seeds = [
    seedId === null ? [] : await readSeed(db, seedId, planSeedLimit),
    await readSeed(db, run.id, planSeedLimit),
  ]
  const isRolled = ({ node, item }: UnitName) =>
    rolled.some((roll) => roll.node === node && (roll.item === '' || roll.item === item))
  return {
    runId: run.id,
    definition: run.definition,
    targets,
    rolls: rollsAfter(rolls, rolled),
    answers: answers.filter((answer) => !isRolled(answer)),
    // Results of the run itself are reused if the cache keys of their calls are the same, even if the cache lacks them.
    seed: seeds.flatMap((units) => units ?? []),
    isUnread: seeds.includes(null),
    taskId: run.task_id,
  }
}

/** Prepares a run for its next generation (rolls, targets, units). Then queues the run with a wake-up, or leaves it a draft. */
async function prepare(
  { tx, queue, types, resultLimit }: Starting,
  run: LockedRun,
  { asked, targets, definition, summaries, rolled, own, choices }: Prepared,
): Promise<void> {
  const { regenerate = [], execute = true } = asked
  if (asked.from_run) await copyMarks(tx, asked.from_run, run.id)
  await setRolls(tx, run.id, rolled)
  await markChosen(tx, run.id, choices)
  if (rolled.length > 0) await trimTakes(tx, run.id, resultLimit)
  await useFiles(
    tx,
    'run',
    run.id,
    regenerate.flatMap(({ inputs }) => filesIn(inputs).map(({ digest }) => digest)),
  )
  await deleteAnswers(tx, run.id, rolled)
  const mark = { change: run.changes + 1, generation: run.generation + 1 }
  const scope = neededFor(definition, targets)
  const gone = [...summaries.keys()].filter((id) => !scope.has(id))
  const stale = staleNodes(definition, summaries, rolled, types)
  const hasDeleted = await resetUnits(tx, run.id, { scope, gone, stale }, mark)
  const ownItems = new Set(isFork(run) ? [] : own.map(unitKey))
  const items = rolled
    .filter((unit) => ownItems.has(unitKey(unit)))
    .map(({ node, item, position }) => freshUnit({ node, item }, position))
  await saveUnits(tx, run.id, items, mark)
  const names = regenerate.map(({ node_id, item }) =>
    item === null || item === undefined ? node_id : `${node_id}/${item}`,
  )
  const changed = columnsFor.start(run, {
    execute,
    at: run.now,
    hasDeleted,
    targets,
    seed: asked.from_run ?? null,
    regenerate: [...new Set([...(run.status === 'draft' ? run.regenerate : []), ...names])],
  })
  await updateRun(tx, run.id, changed, run.now)
  if (execute) await queue.send(tx, [{ runId: run.id, lease: changed.lease }])
}

/**
 * Whether the run was never started or prepared. If items of the original are rolled again in such a run, it is a new fork, which
 * has no units yet: its worker reuses the results of the original.
 */
const isFork = ({ generation }: LockedRun): boolean => generation === 0

/**
 * Creates a fork of the run in the same graph, with copies of the run's definition, layout, rolls, answers and takes. The
 * original is not changed.
 */
async function fork({ tx, actor, ownerId }: Starting, run: LockedRun): Promise<LockedRun> {
  if (run.graph_id !== null) await refuseDeletedGraph(tx, run.graph_id)
  const id = uuidv7()
  await insertRun(tx, {
    id,
    graph_id: run.graph_id,
    definition: run.definition,
    ui_state: run.ui_state,
    signature: run.signature,
    forked_signature: run.signature,
    for_variant: run.for_variant,
    targets: run.targets,
    targets_prepared: false,
    seed_run_id: run.id,
    pinned_task_id: run.pinned_task_id,
    copied_from: run.id,
    task_id: run.task_id,
    owner_id: ownerId,
    now: run.now,
  })
  await copyMarks(tx, run.id, id)
  await copyTakes(tx, run.id, id)
  await copyFiles(tx, run.id, id)
  const forked = await lockRun(tx, id)
  if (!forked) throw new Error(`The fork ${id} is not there.`)
  const summary = 'Forked from a run that has exported'
  await writeRunCheckpoint(tx, forked, { kind: 'created', summary, actor, at: forked.created_at })
  return forked
}

/** Throws if the graph is deleted, so that no fork of a run is created in it; existing runs of a deleted graph stay usable. */
async function refuseDeletedGraph(tx: Db, graphId: string): Promise<void> {
  const graph = await tx
    .selectFrom('graphs')
    .select('deleted_at')
    .where('id', '=', graphId)
    .forShare()
    .executeTakeFirst()
  if (graph && graph.deleted_at === null) return
  throw new Refusal(
    'graph_deleted',
    'The graph of this run is deleted, so that the run cannot be forked. Restore the graph first.',
  )
}

/** Links the files that a run uses to its fork, which uses them too. */
async function copyFiles(tx: Db, from: string, to: string): Promise<void> {
  await tx
    .insertInto('file_uses')
    .columns(['digest', 'used_by', 'user_key'])
    .expression((eb) =>
      eb
        .selectFrom('file_uses')
        .select(['digest', 'used_by', eb.val(to).as('user_key')])
        .where('used_by', '=', 'run')
        .where('user_key', '=', from),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The roll that a re-roll of a node or an item sets. The caller has checked that the node or item exists. */
function rollOf(asked: Invocation, items: readonly FoundItem[]): NewRoll {
  const { inputs } = asked
  const hasNone = inputs === null || (inputs !== undefined && Object.keys(inputs).length === 0)
  return { ...placedUnit(asked, items), roll: randomUUID(), inputs: hasNone ? null : inputs }
}

function placedUnit(asked: Named, items: readonly FoundItem[]): PlacedUnit {
  const item = findItem(items, asked)
  return { node: asked.node_id, item: item?.item ?? '', position: item?.position ?? null }
}

/** The types of issues that depend on the deployment rather than on the definition. */
const ofDeployment: ReadonlySet<string> = new Set(['node_type_unavailable', 'model_ended'])

/**
 * Throws if a definition that is to be started or promoted is invalid. Node types that this deployment cannot run, and
 * withdrawn models, are errors only at nodes in `scope`; by default, at no node.
 */
export function refuseBroken(signed: Signed, types: NodeTypes, scope: ReadonlySet<string> = new Set()): void {
  const issues = issuesOf(signed, types).filter(({ type, loc }) => !ofDeployment.has(type) || scope.has(String(loc[2])))
  if (issues.length > 0) throw new Invalid([...issues])
}
