// In charge of the HTTP routes for exporting a run's files to cards, for reading their provenance, and for a run's history.
import { currencyOf } from '@atelier/contract/graph/model-catalogue.ts'
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { invalidAt, notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { missingBecause } from '@atelier/contract/wire/validation-errors.ts'
import { megabytes } from '../../engine/model/json-size.ts'
import { answerLimit } from '../../engine/model/run-bounds.ts'
import { checkpointAt, listCheckpoints } from '../../engine/store/checkpoints.ts'
import { type LockedRun, seeRun } from '../../engine/store/runs.ts'
import { readContentAt, readShown, restoreRun } from '../../engine/transitions/history.ts'
import type { Actor } from '../../platform/actor.ts'
import { type Db, inSnapshot } from '../../platform/db.ts'
import type { Answer } from '../../platform/http/answer.ts'
import type { Bind, BindStaged, Context } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import { readCreative } from '../tasks/creatives/store.ts'
import { type LockedTask, lockTask, seeTask } from '../tasks/store.ts'
import { checkpointToWire } from './checkpoint.ts'
import type { Output } from './choose-outputs.ts'
import { creativeOf, exportOutputs, type MakeCreative, type PreparedFiles, planExport, refuseExport } from './export.ts'
import { answerer, checkTasks, lockThere, type RunServices } from './routes.ts'
import { foretellAi, type Preparing, prepareExport } from './signing.ts'
import { readProvenance } from './store.ts'

/**
 * How creatives are added to a task that is not deleted. The folder `tasks` implements these functions; the wiring passes them in.
 */
export type OnTask = {
  /** Adds a creative to a locked task, and returns the creative's id. */
  create(tx: Db, task: LockedTask, made: { file: string; variation_num?: number | null }, actor: Actor): Promise<string>
  /** Returns the names and variants that new creatives would get, in the order of `wanted`. */
  nextPlaces(
    db: Db,
    task: LockedTask,
    wanted: readonly Output['variant'][],
  ): Promise<{ name: string; variation_num: number | null }[]>
}

export function bindRunRecords(
  bind: Bind,
  bindStaged: BindStaged,
  services: RunServices & Preparing,
  onTask: OnTask,
): void {
  const { config, cursors, find } = services
  const answer = answerer(services)

  bindStaged(routes.exportRun, async ({ params: { run_id }, body }) => {
    const taskId = body.task_id?.toLowerCase() ?? null
    const prepared = await prepareExport(services, { runId: run_id, taskId, outputs: body.outputs })
    return (context) => putOnCard(context, prepared)
  })
  const putOnCard = async (
    { db, params: { run_id }, body, actor, requireMatch }: Context<typeof routes.exportRun>,
    prepared: PreparedFiles,
  ): Promise<Answer> => {
    await checkTasks(db, { task_id: body.task_id })
    const run = await lockThere(db, run_id)
    requireMatch(run.revision)
    refuseExport(run)
    const taskId = cardId(body.task_id?.toLowerCase() ?? run.pinned_task_id)
    const task = openCard(taskId, await lockTask(db, taskId))
    const make: MakeCreative = (file, variant) => onTask.create(db, task, creativeOf(file, variant), actor)
    const exporting = { tx: db, run, task, actor, find, make, prepared }
    const deleted = await exportOutputs(exporting, body.outputs)
    const answered = await answer(db, run_id)
    return deleted.length === 0 ? answered : { ...answered, message: deletedMessage(deleted) }
  }

  bind(routes.planExport, async ({ db, params: { run_id }, body }) => {
    await checkTasks(db, { task_id: body.task_id })
    const run = await seeRun(db, run_id)
    if (!run) throw notFound('run', run_id)
    refuseExport(run)
    const taskId = cardId(body.task_id?.toLowerCase() ?? run.pinned_task_id)
    const task = openCard(taskId, await seeTask(db, taskId))
    return {
      data: await planExport(db, run, task, body.outputs, {
        nextPlaces: (wanted) => onTask.nextPlaces(db, task, wanted),
        aiOf: await foretellAi(services, db, run, body.outputs),
      }),
    }
  })

  bind(routes.getCreativeProvenance, async ({ db, params: { creative_id } }) => {
    const found = (await readCreative(db, creative_id)) && (await readProvenance(db, creative_id))
    if (!found) throw notFound('creative', creative_id)
    return { data: found.provenance === null ? null : { ...notNoted, ...Object(found.provenance) } }
  })

  bind(routes.listRunHistory, async ({ db, params: { run_id }, query }) => {
    if (!(await seeRun(db, run_id))) throw notFound('run', run_id)
    return listPage(
      { cursors, scope: `history/${run_id}`, query },
      (after, take) => listCheckpoints(db, run_id, after?.key ?? null, take),
      { text: ({ text }) => text, position: ({ at }) => ({ key: at, id: run_id }) },
    )
  })

  bind(routes.readRunCheckpoint, async ({ db, params: { run_id }, query }) => {
    // One snapshot for all reads: otherwise the checkpoint could be removed between two of them, and be shown without its units.
    const { checkpoint, content, shown } = await inSnapshot(db, async (tx) => {
      const run = await seeRun(tx, run_id)
      if (!run) throw notFound('run', run_id)
      const checkpoint = await checkpointAt(tx, run, new Date(query.at).toISOString())
      if (!checkpoint) throw new Refusal('no_checkpoint', `The history of this run does not reach back to ${query.at}.`)
      const content = await readContentAt(tx, run_id, checkpoint)
      return { checkpoint, content, shown: await readShown(tx, content, answerLimit) }
    })
    const { units, bytes, isWhole } = shown
    return { data: checkpointToWire(checkpoint, content, units), message: isWhole ? null : leftOut(bytes) }
  })

  bind(routes.restoreRunHistory, async ({ db, params: { run_id }, body, actor, requireMatch }) => {
    const run = await lockThere(db, run_id)
    requireMatch(run.revision)
    const refusal = runRefuses.rewind(run)
    if (refusal) throw new Refusal(refusal, `The run ${run.id} cannot be put back: ${whyNotPutBack(run)}.`)
    const checkpoint = await checkpointAt(db, run, new Date(body.at).toISOString())
    if (!checkpoint) throw new Refusal('no_checkpoint', `The history of this run does not reach back to ${body.at}.`)
    const content = await readContentAt(db, run.id, checkpoint)
    await restoreRun(db, run, content, { actor, at: checkpoint.at, currency: currencyOf(config.models.list) })
    return answer(db, run_id)
  })
}

const leftOut = (bytes: number): string =>
  `What the nodes had made is ${megabytes(bytes)}, and this answer holds ${megabytes(answerLimit)} of it at most: it is left out here. Going back to this point brings it all.`

/** The values of members that earlier versions of Atelier did not store in a provenance. */
const notNoted = {
  index: null,
  ai: null,
  source_type: null,
  labels: [],
  file: null,
  signed_by: null,
  unsigned_because: null,
}

function whyNotPutBack({ deleted_at, exported_at, status }: LockedRun): string {
  if (deleted_at !== null) return 'it is deleted; undelete it first'
  return exported_at === null
    ? `it is ${status}; wait until it is not, or cancel it`
    : 'it has exported, and is the record of what made those files; start it to get a fork that can be changed'
}

/** The message about outputs whose creatives were deleted. Exporting such an output again does not restore its creative. */
const deletedMessage = (names: readonly string[]): string =>
  names.length === 1
    ? `${names[0]} is of this card already, and deleted: restore that creative to have it back.`
    : `${names.join(', ')} are of this card already, and deleted: restore those creatives to have them back.`

function cardId(taskId: string | null): string {
  if (taskId !== null) return taskId
  throw invalidAt(['body', 'task_id'], missingBecause('the run is pinned to no task'), { task_id: null })
}

/** Returns the task to which a run is exported. Throws if the task does not exist or is deleted. */
function openCard(taskId: string, task: LockedTask | undefined): LockedTask {
  if (!task?.in_retention) throw new Refusal('task_deleted', `The task ${taskId} is gone; export to another.`)
  if (task.deleted_at === null) return task
  throw new Refusal('task_deleted', `The task ${task.number} is deleted; restore it before you export to it.`)
}
