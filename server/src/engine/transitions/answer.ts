// In charge of answers to gates. An answer is valid only for the question that it was given to, and only the first answer to a
// question is accepted. A worker is woken once there is something to execute.
import type { GraphNode } from '@atelier/contract/graph/definition.ts'
import { downstreamOf, neededFor } from '@atelier/contract/graph/graph-order.ts'
import { type NodeTypes, readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import type { RunAnswer } from '@atelier/contract/runs.ts'
import { Invalid, Refusal, type ValidationError } from '@atelier/contract/wire/errors.ts'
import { missingBecause } from '@atelier/contract/wire/validation-errors.ts'
import type { FindType } from '../../nodes/node-type.ts'
import { type Actor, authorOf } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { issuesOf } from '../model/issues.ts'
import { lackedBy, missingWords, needsOf } from '../model/needs.ts'
import { hashOf, questionHash, type UnitState } from '../model/units.ts'
import { setAnswer } from '../store/marks.ts'
import { noteAnswered } from '../store/notices.ts'
import type { RunQueue } from '../store/queue.ts'
import { type LockedRun, notifyWorker, updateRun } from '../store/runs.ts'
import { readUnits, saveUnits } from '../store/unit-store.ts'
import { isPerformable } from '../store/workers.ts'
import { notThere } from './start-problems.ts'
import { columnsFor } from './states.ts'

export type Answering = {
  tx: Db
  queue: RunQueue
  find: FindType
  has: ReadonlySet<string>
  types: NodeTypes
  actor: Actor
}

/**
 * Answers an open question of a locked run. A parked run is queued when the answered gate has no open question left, since the
 * nodes after the gate need all of its items. If a worker has the run, the worker notices the answer because the run's count
 * of answers has increased.
 */
export async function answerRun(
  { tx, queue, find, has, types, actor }: Answering,
  run: LockedRun,
  body: RunAnswer,
): Promise<void> {
  const refusal = runRefuses.answer(run)
  if (refusal) {
    const why = whyNot[refusal] ?? `it is ${run.status}`
    throw new Refusal(refusal, `The run ${run.id} asks nothing now: ${why}.`)
  }
  const spec = nodeOf(run, body.node_id)
  const type = find(spec.type, spec.version)
  if (type && !type.gate)
    throw new Invalid([notThere(['body', 'node_id'], `the node “${body.node_id}” is no gate`, body.node_id)])
  const units = await readUnits(tx, run.id, { whole: new Set([body.node_id]) })
  const unit = findQuestion(units, spec, body)
  if (unit?.status === 'awaiting_input') await refuseUnperformable(tx, has, run, body.node_id)
  const gate = type?.gate
  if (unit?.status !== 'awaiting_input' || !unit.request || !gate) throw notOpen(body)
  if (typeof body.asked === 'string' && body.asked !== questionHash(unit.request)) throw questionChanged(body)
  const accepted = gate.accept(unit.request, body.answer)
  if ('errors' in accepted) throw new Invalid(accepted.errors.map(inBody))
  refuseEnded(run, types, body.node_id)

  const { node, item, position } = unit
  await setAnswer(tx, run.id, {
    ...{ node, item, position },
    asked: hashOf(unit.request),
    answer: body.answer,
    ...authorOf(actor),
    at: run.now,
  })
  const changes = run.changes + 1
  const answered = { ...unit, status: 'succeeded', progress: 1, outputs: accepted.outputs, request: null } as const
  await saveUnits(tx, run.id, [answered], { change: changes, generation: run.generation })
  const isLast = !units.some((other) => other !== unit && other.status === 'awaiting_input')
  const name = position === null ? node : `${node}/${position}`
  const goesOn = run.status === 'awaiting_input' && isLast
  await updateRun(tx, run.id, columnsFor.answer(run, name, goesOn ? run.now : null), run.now)
  if (goesOn) await noteAnswered(tx, run)
  if (goesOn) await queue.send(tx, [{ runId: run.id, lease: run.lease + 1 }])
  else if (run.status === 'running') await notifyWorker(tx, run.id)
}

const whyNot: Record<string, string> = {
  run_deleted: 'it is deleted; undelete it first',
  run_exported: 'it has exported',
}

/**
 * Throws if this process lacks the type of the gate, so that it cannot validate the answer, or if no worker has all node types
 * to go on with a parked run after the answer. The question then stays open, and nothing is paid. While a worker has the run,
 * other node types are not checked, since that worker goes on with the run.
 */
async function refuseUnperformable(tx: Db, has: ReadonlySet<string>, run: LockedRun, nodeId: string): Promise<void> {
  const missing = lackedBy(has, run)
  if (missing.length === 0) return
  const isReadable = !missing.some(({ node }) => node === nodeId)
  const needs = needsOf(readDefinition(run.definition), run.targets)
  if (isReadable && (run.status !== 'awaiting_input' || (await isPerformable(tx, needs)))) return
  throw new Refusal(
    'node_types_missing',
    `The run ${run.id} cannot go on here: ${missingWords(missing)}, which this version of the product does not have. The question stays open and nothing was paid. Change the definition of the run and start it, or start a version that has them and answer again.`,
  )
}

/**
 * Throws if a node downstream of the gate uses a model that has been withdrawn: the question stays open, and people can change
 * the model in the run. The answer itself is not looked at, since the node may be executed after any answer.
 */
function refuseEnded(run: LockedRun, types: NodeTypes, nodeId: string): void {
  const ended = issuesOf(run, types).filter(({ type }) => type === 'model_ended')
  if (ended.length === 0) return
  const definition = readDefinition(run.definition)
  const needed = neededFor(definition, run.targets)
  const after = downstreamOf(definition, [nodeId])
  const inTheWay = ended.filter(({ loc: [, , id] }) => needed.has(String(id)) && after.has(String(id)))
  if (inTheWay.length > 0) throw new Invalid(inTheWay)
}

const gateOf = ({ node_id, item }: RunAnswer): string =>
  `The node “${node_id}”${typeof item === 'number' ? `, item ${item},` : ''}`

const notOpen = (body: RunAnswer): Refusal =>
  new Refusal(
    'no_open_question',
    `${gateOf(body)} has no open question. Read the run again: its nodes say what they ask.`,
  )

const questionChanged = (body: RunAnswer): Refusal =>
  new Refusal(
    'question_changed',
    `${gateOf(body)} asks about something else by now. Nothing was answered. Look at what it asks now, and answer that.`,
  )

function nodeOf(run: LockedRun, id: string): GraphNode {
  const { nodes } = readDefinition(run.definition)
  const node = Object.hasOwn(nodes, id) ? nodes[id] : undefined
  if (!node) throw new Invalid([notThere(['body', 'node_id'], `the definition has no node “${id}”`, id)])
  return node
}

/**
 * The unit that an answer is for; undefined if the gate has not been reached. If the gate asks a question for each item, the answer
 * has to name one of the items. An answer that says which question was seen (`asked`) may name an item that is gone: its rows were
 * made anew meanwhile, and are fewer. Then there is no unit either.
 */
function findQuestion(
  units: readonly UnitState[],
  { each }: GraphNode,
  { item, node_id, asked }: RunAnswer,
): UnitState | undefined {
  const own = units.find((unit) => unit.item === '')
  const items = units.filter((unit) => unit.item !== '')
  if (typeof item === 'number') {
    const count = each.length === 0 ? 0 : (own?.itemCount ?? null)
    if (count === null || item < count) return items.find(({ position }) => position === item)
    if (typeof asked === 'string') return undefined
    throw new Invalid([notThere(['body', 'item'], `the node “${node_id}” has no item ${item} in this run`, item)])
  }
  if (items.length === 0) return own
  throw new Invalid([
    {
      ...missingBecause(`“${node_id}” asks for each of its ${items.length} items`),
      loc: ['body', 'item'],
    },
  ])
}

const inBody = (error: ValidationError): ValidationError => ({ ...error, loc: ['body', 'answer', ...error.loc] })
