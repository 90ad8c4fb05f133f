// In charge of starting runs: what a start comes to by the state of the run, and doing it in one transaction with the wake-up.

import { randomUUID } from 'node:crypto'
import type { Definition } from '@atelier/contract/definition.ts'
import { Invalid, Refusal, type ValidationError } from '@atelier/contract/errors.ts'
import { neededFor } from '@atelier/contract/graph-order.ts'
import { type NodeTypes, readDefinition } from '@atelier/contract/graph-rules.ts'
import { type RunStanding, runRefuses } from '@atelier/contract/run-rules.ts'
import type { Invocation, RunStart } from '@atelier/contract/runs.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { isUuid } from '../../platform/ids.ts'
import { issuesOf, type Signed } from '../model/issues.ts'
import type { Answered, Roll } from '../model/marks.ts'
import type { NodeSummary } from '../model/node-summary.ts'
import { staleNodes } from '../model/staleness.ts'
import { freshUnit, type UnitName } from '../model/units.ts'
import { readSummaries } from '../store/node-summaries.ts'
import type { RunQueue } from '../store/queue.ts'
import { insertRun, type LockedRun, lockRun, type RunRow, readRunRow, updateRun } from '../store/runs.ts'
import {
  copyMarks,
  deleteAnswers,
  findItems,
  readAnswers,
  readRolls,
  readSeed,
  resetUnits,
  saveUnits,
  setRolls,
} from '../store/unit-store.ts'
import { keepRun } from './history.ts'
import { columnsFor } from './states.ts'

export type StartDecision = 'in_place' | 'fork'

/** What a start comes to; throws the refusal. Pure. */
export function decideStart(run: RunStanding & { id: string }): StartDecision {
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

export type Starting = {
  tx: Db
  queue: RunQueue
  types: NodeTypes
  actor: Actor
  ownerId: string
  retentionSeconds: number
}

/** Starts a locked run as asked, or prepares it only; answers the id of the run that was started: itself, or a fork. */
export async function startRun(starting: Starting, run: LockedRun, asked: RunStart): Promise<string> {
  const decision = decideStart(run)
  const checked = await checkStart(starting.tx, run, asked, starting.types)
  const target = decision === 'fork' ? await fork(starting, run) : run
  await prepare(starting, target, checked)
  return target.id
}

type Prepared = {
  asked: RunStart
  targets: readonly string[]
  definition: Definition
  summaries: ReadonlyMap<string, NodeSummary>
  /** What is to be rolled again. */
  rolled: readonly Roll[]
}

/** What a start is about, once nothing is wrong with it; throws all that is. */
async function checkStart(tx: Db, run: RunRow, asked: RunStart, types: NodeTypes): Promise<Prepared> {
  const definition = readDefinition(run.definition)
  const targets = asked.targets ?? (run.targets_prepared ? run.targets : [])
  const regenerate = asked.regenerate ?? []
  const items = await findItems(tx, run.id, regenerate.flatMap(itemOf))
  const problems = [
    ...unknownNodes(targets, definition, ['body', 'targets']),
    ...regenerateProblems(regenerate, definition, targets, items),
    ...(await seedProblems(tx, asked.from_run)),
  ]
  if (problems.length > 0) throw new Invalid(problems)
  refuseBroken(run, types, neededFor(definition, targets))
  const summaries = await readSummaries(tx, run.id)
  return { asked, targets, definition, summaries, rolled: onceEach(regenerate).map((one) => rollOf(one, items)) }
}

/** What is named twice is rolled once. */
const onceEach = (regenerate: readonly Invocation[]): Invocation[] => [
  ...new Map(regenerate.map((one) => [JSON.stringify([one.node_id, one.item ?? null]), one])).values(),
]

/** What a plan reads of the results of a run at most, in bytes: it is made by the process that serves requests. */
const planSeedLimit = 64 * 1024 * 1024

/** What a start with this body would find, for a plan: rolls already rolled again, answers already dropped. */
export async function planningOf(db: Db, run: RunRow, asked: RunStart, types: NodeTypes) {
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
    definition: run.definition,
    targets,
    rolls: [...rolls.filter((roll) => !isRolled(roll)), ...rolled],
    answers: answers.filter((answer) => !isRolled(answer)),
    // Its own results hold as long as their recipes do, whether they are in the cache or not.
    seed: seeds.flatMap((units) => units ?? []),
    isUnread: seeds.includes(null),
    taskId: run.task_id,
  }
}

/** Sets a run up for its next generation: rolls, targets, units; queued with its wake-up, or left a draft. */
async function prepare(
  { tx, queue, types }: Starting,
  run: LockedRun,
  { asked, targets, definition, summaries, rolled }: Prepared,
): Promise<void> {
  const regenerate = asked.regenerate ?? []
  const execute = asked.execute ?? true
  if (asked.from_run) await copyMarks(tx, asked.from_run, run.id)
  await setRolls(tx, run.id, rolled)
  await deleteAnswers(tx, run.id, rolled)
  const mark = { change: run.changes + 1, generation: run.generation + 1 }
  const scope = neededFor(definition, targets)
  const gone = [...summaries.keys()].filter((id) => !scope.has(id))
  const stale = staleNodes(definition, summaries, rolled, types)
  const hasDeleted = await resetUnits(tx, run.id, { scope, gone, stale }, mark)
  const items = rolled
    .filter(({ item }) => item !== '')
    .map(({ node, item, position }) => freshUnit({ node, item }, position))
  await saveUnits(tx, run.id, isFork(run) ? [] : items, mark)
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

/** A fork has no units of its own yet; what the original made seeds it. */
const isFork = ({ generation }: LockedRun): boolean => generation === 0

/** A run of its own: same graph, this one's definition, layout, rolls and answers. The original is not touched. */
async function fork({ tx, actor, ownerId, retentionSeconds }: Starting, run: LockedRun): Promise<LockedRun> {
  if (run.graph_id !== null) await refuseDeletedGraph(tx, run.graph_id)
  const id = uuidv7()
  await insertRun(tx, {
    id,
    graph_id: run.graph_id,
    definition: run.definition,
    ui_state: run.ui_state,
    signature: run.signature,
    forked_signature: run.signature,
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
  await copyFiles(tx, run.id, id)
  const forked = await lockRun(tx, id, retentionSeconds)
  if (!forked) throw new Error(`The fork ${id} is not there.`)
  const summary = 'Forked from a run that has exported'
  await keepRun(tx, forked, { kind: 'created', summary, actor, at: forked.created_at })
  return forked
}

/** A run outlives its graph, but makes no new ones then. */
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

/** Files that the definition names stay with every copy of it. */
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

type FoundItem = UnitName & { position: number }

const itemOf = ({ node_id, item }: Invocation): { node: string; position: number }[] =>
  item === null || item === undefined ? [] : [{ node: node_id, position: item }]

/** The roll that a re-roll of a node or an item leaves. The item was found before. */
function rollOf(asked: Invocation, items: readonly FoundItem[]): Roll {
  const item = findItem(items, asked)
  return { node: asked.node_id, item: item?.item ?? '', position: item?.position ?? null, roll: randomUUID() }
}

const findItem = (items: readonly FoundItem[], { node_id, item }: Invocation): FoundItem | undefined =>
  items.find(({ node, position }) => node === node_id && position === item)

const notThere = (loc: (string | number)[], msg: string, input: unknown): ValidationError => ({
  type: 'value_error',
  loc,
  msg: `Value error, ${msg}`,
  input,
  ctx: { error: {} },
})

export const unknownNodes = (
  ids: readonly string[],
  { nodes }: Definition,
  loc: (string | number)[],
): ValidationError[] =>
  ids.flatMap((id, index) =>
    Object.hasOwn(nodes, id) ? [] : [notThere([...loc, index], `the definition has no node “${id}”`, id)],
  )

function regenerateProblems(
  regenerate: readonly Invocation[],
  definition: Definition,
  targets: readonly string[],
  items: readonly FoundItem[],
): ValidationError[] {
  const scope = neededFor(definition, targets)
  return regenerate.flatMap(({ node_id, item }, index) => {
    const loc = ['body', 'regenerate', index]
    if (!Object.hasOwn(definition.nodes, node_id)) {
      return [notThere([...loc, 'node_id'], `the definition has no node “${node_id}”`, node_id)]
    }
    if (!scope.has(node_id)) {
      return [notThere([...loc, 'node_id'], `the node “${node_id}” is not needed for the targets`, node_id)]
    }
    if (item === null || item === undefined || findItem(items, { node_id, item })) return []
    return [notThere([...loc, 'item'], `the node “${node_id}” has no item ${item} in this run`, item)]
  })
}

export async function seedProblems(tx: Db, fromRun: string | null | undefined): Promise<ValidationError[]> {
  if (fromRun === null || fromRun === undefined) return []
  const seed = isUuid(fromRun) ? await readRunRow(tx, fromRun) : undefined
  return seed && seed.deleted_at === null ? [] : [notThere(['body', 'from_run'], `there is no run ${fromRun}`, fromRun)]
}

/**
 * A definition is started or promoted only whole and right. Types that cannot run here matter where they are needed:
 * in `scope`; nowhere where it is left out.
 */
export function refuseBroken(signed: Signed, types: NodeTypes, scope: ReadonlySet<string> = new Set()): void {
  const issues = issuesOf(signed, types).filter(
    ({ type, loc }) => type !== 'node_type_unavailable' || scope.has(String(loc[2])),
  )
  if (issues.length > 0) throw new Invalid([...issues])
}
