// In charge of the HTTP routes of runs: creating, listing, reading, changing, deleting, planning, starting, cancelling and
// answering runs. The engine decides what each request does.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { currencyOf } from '@atelier/contract/graph/model-catalogue.ts'
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import type { RunCreate, RunStart } from '@atelier/contract/runs.ts'
import { Invalid, invalidAt, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import { describeIssues, refuseTooLarge } from '../../engine/model/issues.ts'
import { outputLimits } from '../../engine/model/json-size.ts'
import { planRun } from '../../engine/read/plan.ts'
import { isText, openRun, readRun, readRunChanges, type Text } from '../../engine/read/run-json.ts'
import { findUnit, readTakes } from '../../engine/read/takes.ts'
import { openValue } from '../../engine/read/value.ts'
import type { RunQueue } from '../../engine/store/queue.ts'
import { type LockedRun, listRuns, lockRun, type RunRow, readRunRow, seeRun } from '../../engine/store/runs.ts'
import { answerRun } from '../../engine/transitions/answer.ts'
import { cancelRun } from '../../engine/transitions/cancel.ts'
import { createRun } from '../../engine/transitions/create.ts'
import { editRun } from '../../engine/transitions/edit.ts'
import { planningOf, type Starting, startRun } from '../../engine/transitions/start.ts'
import { pinTake } from '../../engine/transitions/takes.ts'
import type { FindType, NodeFiles } from '../../nodes/node-type.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { type Answer, type Closing, etagOf, JsonStream, json } from '../../platform/http/answer.ts'
import type { Bind } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import { isUuid } from '../../platform/ids.ts'
import { goneOrUnknown, retentionOver } from '../../platform/retention.ts'
import type { Services } from '../../platform/services.ts'
import { lockGraph, ownerOf } from '../graphs/store.ts'
import type { Undecided } from '../money/store.ts'
import { seeTask } from '../tasks/store.ts'
import { askForApproval, hasOtherPlan } from './approvals.ts'
import { clearing } from './start-money.ts'
import { knownTasks, restoreDeleted, setRunDeleted } from './store.ts'

/** The services that the routes of runs need in addition to the services of every feature. */
export type RunServices = Services & {
  queue: RunQueue
  find: FindType
  /** The node types that this process can execute, in all their versions. */
  has: ReadonlySet<string>
  nodeFiles: NodeFiles
}

export function bindRuns(bind: Bind, services: RunServices): void {
  bindReads(bind, services)
  bindTakes(bind, services)
  const { cursors } = services
  const answer = answerer(services)
  const starting = startingOf(services)
  const lock = (tx: Db, id: string): Promise<LockedRun> => lockThere(tx, id)
  bind(routes.createRun, async ({ db, params: { graph_id }, body, actor }) => {
    const asked = body ?? {}
    const tasks = await checkTasks(db, { task_id: asked.task_id, pinned_task_id: asked.pinned_task_id })
    await checkVariant(db, asked)
    const graph = await lockGraph(db, graph_id)
    if (!graph?.in_retention) throw notFound('graph', graph_id)
    return answer(db, await createRun(starting(db, actor), graph, { ...asked, ...tasks }, graph.now))
  })

  bind(routes.listRuns, async ({ db, query: { limit, cursor, deleted = false, ...filter } }) =>
    listPage(
      {
        cursors,
        scope: `runs/${JSON.stringify([filter.graph_id, filter.task_id, filter.owner_id, filter.status, deleted])}${filter.search ?? ''}`,
        query: { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) },
      },
      async (after, take) =>
        [filter.graph_id, filter.task_id, filter.owner_id].some((id) => id !== undefined && !isUuid(id))
          ? []
          : listRuns(db, { ...filter, deleted }, after && { at: after.key ?? '', id: after.id }, take),
      { text: ({ text }) => text, position: ({ id, at }) => ({ key: at, id }) },
    ),
  )

  bind(routes.patchRun, async ({ db, params: { run_id }, body, actor, requireMatch }) => {
    refuseTooLarge(body)
    const tasks = await checkTasks(db, { pinned_task_id: body.pinned_task_id })
    const run = await lock(db, run_id)
    requireMatch(run.revision)
    await editRun(db, run, { ...body, ...tasks }, actor)
    return answer(db, run_id)
  })

  bind(routes.deleteRun, async ({ db, params: { run_id }, requireMatch }) => {
    const run = await lock(db, run_id)
    requireMatch(run.revision)
    const refusal = runRefuses.delete(run)
    if (refusal) throw new Refusal(refusal, `The run ${run_id} is ${run.status}: cancel it before you delete it.`)
    if (run.deleted_at === null) await setRunDeleted(db, run, run.now)
    return answer(db, run_id)
  })

  bind(routes.undeleteRun, async ({ db, params: { run_id }, requireMatch }) => {
    const run = await lockRun(db, run_id)
    if (!run) throw await goneOrUnknown(db, 'run', run_id)
    if (!run.in_retention) throw retentionOver('run')
    requireMatch(run.revision)
    if (run.deleted_at !== null) await restoreDeleted(db, run)
    return answer(db, run_id)
  })
}

/** Binds the routes that read a run: its present state, what has changed, one node, and the value of one output. */
function bindReads(bind: Bind, { nodeTypes }: RunServices): void {
  bind(routes.getRun, async ({ db, params: { run_id } }) => {
    const found = await openRun(db, run_id)
    if (!found) throw notFound('run', run_id)
    const told = await describeIssues(db, found.row, nodeTypes.wire)
    const data = isText(found.run) ? new JsonStream(closing(found.run, told)) : found.run
    return { data, etag: etagOf(found.row.revision), volatile: true, ...told }
  })

  bind(routes.getRunChanges, async ({ db, params: { run_id }, query: { since } }) => {
    const found = await readRunChanges(db, run_id, { since })
    if (!found) throw notFound('run', run_id)
    const data = isText(found.changes) ? new JsonStream(closing(found.changes)) : found.changes
    return { data, etag: etagOf(found.row.revision), volatile: true }
  })

  bind(routes.getRunNode, async ({ db, params: { run_id, node }, query }) => {
    const found = await readRunChanges(db, run_id, { since: query.since, node })
    if (!found) throw notFound('run', run_id)
    if (!Object.hasOwn(readDefinition(found.row.definition).nodes, node))
      throw new Refusal('not_found', `The run ${run_id} has no node “${node}”.`)
    if (isText(found.changes)) return { data: new JsonStream(closing(found.changes)) }
    const { since, whole, nodes } = found.changes
    return { data: { since, whole, node: nodes[node] ?? null } }
  })

  bind(routes.getRunOutput, async ({ db, params: { run_id, node, port }, query }) => {
    const run = await seeRun(db, run_id)
    if (!run) throw notFound('run', run_id)
    const value = await openValue(db, run, { node, port, ...query })
    const data = typeof value.text === 'string' ? json(value.text) : new JsonStream(value.text)
    return { data, etag: `"${value.digest}"` }
  })
}

/**
 * Binds the routes for the takes of a unit: listing them and pinning one. To go back to an earlier take, clients start the run with
 * the take in `choose`.
 */
function bindTakes(bind: Bind, { find }: RunServices): void {
  bind(routes.getRunTakes, async ({ db, params: { run_id, node }, query: { item } }) => {
    const run = await seeRun(db, run_id)
    if (!run) throw notFound('run', run_id)
    return { data: await readTakes(db, run, await findUnit(db, run, node, item), find) }
  })

  bind(routes.patchRunTake, async ({ db, params: { run_id, node, take }, query: { item }, body }) => {
    const run = await lockThere(db, run_id)
    const unit = await findUnit(db, run, node, item)
    await pinTake(db, run, unit, { take, ...body })
    return { data: await readTakes(db, run, unit, find) }
  })
}

/**
 * Streams `text`, and then returns the members of `told`, which are sent at the end of the response. If `text` returns a message,
 * the message of `told` is appended to it.
 */
async function* closing(text: Text, told: Closing = {}): AsyncGenerator<string | Buffer, Closing> {
  const own = yield* text
  const sentences = [own, told.message ?? null].filter((one) => one !== null)
  return { ...told, message: sentences.length === 0 ? null : sentences.join(' ') }
}

/** Returns what is needed to compute the cost of a start, whoever pays for it. */
const pricingOf = ({ config, database, nodeTypes, find, nodeFiles: files }: RunServices) => ({
  ...{ types: nodeTypes.wire, find, files },
  currency: currencyOf(config.models.list),
  outputLimit: outputLimits[database.kind],
})

/** Returns what is needed to compute the cost of a start, and the id of the owner who pays for the start. */
export const clearingOf = (services: RunServices, actor: Actor) => ({
  ...pricingOf(services),
  ownerId: ownerOf(actor),
})

/** Returns the function by which the routes of money find out whether a start still has the plan that is to be approved. */
export const planCheckOf =
  (services: RunServices) =>
  (db: Db, asked: Undecided): Promise<boolean> =>
    hasOtherPlan(db, pricingOf(services), asked)

export const startingOf =
  (services: RunServices) =>
  (tx: Db, actor: Actor): Starting => {
    const { config, nodeTypes, queue, find } = services
    const money = clearingOf(services, actor)
    return {
      tx,
      queue,
      types: nodeTypes.wire,
      find,
      resultLimit: config.runLimit,
      actor,
      ownerId: money.ownerId,
      currency: money.currency,
      clear: clearing(money),
    }
  }

/** Returns the plan for starting a run with this request body. */
export async function planOf(services: RunServices, db: Db, run: RunRow, asked: RunStart) {
  const { config, nodeTypes, find, nodeFiles: files } = services
  const planning = await planningOf(db, run, asked, { types: nodeTypes.wire, find })
  const currency = currencyOf(config.models.list)
  return planRun({ ...planning, currency, outputLimit: outputLimits[services.database.kind], db, find, files })
}

/** Binds the routes that start a run, plan a start, request an approval, cancel a run, and answer a run's gates. */
export function bindRunControl(bind: Bind, services: RunServices): void {
  const { nodeTypes, queue, find, has } = services
  const answer = answerer(services)
  const starting = startingOf(services)
  const lock = (tx: Db, id: string): Promise<LockedRun> => lockThere(tx, id)

  bind(routes.startRun, async ({ db, params: { run_id }, body, actor, minimal, requireMatch }) => {
    const run = await lock(db, run_id)
    requireMatch(run.revision)
    const started = await startRun(starting(db, actor), run, body ?? {})
    return minimal ? locate(db, started) : answer(db, started)
  })

  bind(routes.planRun, async ({ db, params: { run_id }, body }) => {
    const run = await seeRun(db, run_id)
    if (!run) throw notFound('run', run_id)
    const { plan, message } = await planOf(services, db, run, body ?? {})
    return { data: plan, message }
  })

  bind(routes.askApproval, async ({ db, params: { run_id }, body, actor }) => {
    const run = await lock(db, run_id)
    const refusal = runRefuses.start(run)
    if (refusal) throw new Refusal(refusal, `The run ${run_id} is ${run.status}; it cannot be started now.`)
    const wanted = { run, body: body ?? {}, reviewCommentId: null }
    return { data: json(await askForApproval(db, clearingOf(services, actor), wanted, actor)) }
  })

  bind(routes.cancelRun, async ({ db, params: { run_id }, requireMatch }) => {
    const run = await lock(db, run_id)
    requireMatch(run.revision)
    await cancelRun(db, run)
    return answer(db, run_id)
  })

  bind(routes.answerRun, async ({ db, params: { run_id }, body, actor, minimal, requireMatch }) => {
    const run = await lock(db, run_id)
    requireMatch(run.revision)
    await answerRun({ tx: db, queue, find, has, types: nodeTypes.wire, actor }, run, body)
    return minimal ? locate(db, run_id) : answer(db, run_id)
  })
}

/** Locks a run, unless it was deleted longer ago than the retention window. */
export async function lockThere(tx: Db, id: string): Promise<LockedRun> {
  const run = await lockRun(tx, id)
  if (!run?.in_retention) throw notFound('run', id)
  return run
}

/**
 * Returns a function that builds the response for one run, with the issues that prevent the run from starting. `volatile` prevents
 * responses with status 304: the ETag is made of the revision, but a run can change without getting a new revision.
 */
export const answerer =
  ({ nodeTypes }: Services) =>
  async (db: Db, id: string): Promise<Answer> => {
    const found = await readRun(db, id)
    if (!found) throw notFound('run', id)
    const told = await describeIssues(db, found.row, nodeTypes.wire)
    const sentences = [found.message, told.message].filter((one) => one !== null)
    const message = sentences.length === 0 ? null : sentences.join(' ')
    return { data: found.run, etag: etagOf(found.row.revision), volatile: true, ...told, message }
  }

/** Builds the short response for a run: its address, tasks and revision, without its outputs. */
async function locate(db: Db, id: string): Promise<Answer> {
  const row = await readRunRow(db, id)
  if (!row) throw notFound('run', id)
  const { task_id, pinned_task_id } = row
  return { data: { id, task_id, pinned_task_id }, location: `/api/v1/runs/${id}`, etag: etagOf(row.revision) }
}

type Tasks = { task_id?: string | null | undefined; pinned_task_id?: string | null | undefined }

/**
 * Returns the task ids of a request body in lower case, which is how the database spells ids. Throws a 422 if a task does not
 * exist. A member that the body leaves out is left out of the result, too.
 */
export async function checkTasks(
  db: Db,
  given: Tasks,
): Promise<{ task_id?: string | null; pinned_task_id?: string | null }> {
  const named = Object.entries(given).filter(([, id]) => id !== undefined)
  const ids = named.flatMap(([, id]) => (id && isUuid(id) ? [id.toLowerCase()] : []))
  const known = await knownTasks(db, ids)
  const errors = named
    .filter(([, id]) => id && !known.has(id.toLowerCase()))
    .map(([member, id]) => errorAt(['body', member], valueError('there is no task with this id'), id))
  if (errors.length > 0) throw new Invalid(errors)
  return Object.fromEntries(named.map(([member, id]) => [member, id?.toLowerCase() ?? null]))
}

/** Throws if the request names a variant that the new run's task does not have. */
async function checkVariant(db: Db, { task_id, variation_num }: RunCreate): Promise<void> {
  if (typeof variation_num !== 'number') return
  const task = task_id ? await seeTask(db, task_id) : undefined
  if (task?.variants.some((variant) => variant.variation_num === variation_num)) return
  const why = task ? 'the task has no such variant' : 'a variant needs the task it is of'
  throw invalidAt(['body', 'variation_num'], valueError(why), variation_num)
}
