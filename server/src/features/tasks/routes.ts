// In charge of the HTTP routes of single tasks: connecting each route of the contract with decisions and SQL.
import { routes } from '@atelier/contract/routes/routes.ts'
import { notFound } from '@atelier/contract/wire/errors.ts'
import type { Db } from '../../platform/db.ts'
import { type Answer, etagOf, json } from '../../platform/http/answer.ts'
import type { Bind, BindStaged } from '../../platform/http/bind.ts'
import { listPage } from '../../platform/http/list.ts'
import type { Services } from '../../platform/services.ts'
import { listActivity } from '../activity/store.ts'
import { answerOfBulk } from './bulk-answer.ts'
import { turnOfChange, turnsOfChanges } from './large-changes.ts'
import { readTaskInTurn, turnsOfReads } from './large-reads.ts'
import { deleteTask, restoreTask } from './restore.ts'
import { type Barring, type Entering, hasTask, lockTask, readIncludes, type TaskText, theTask } from './store.ts'
import { changeInBulk, changeTasks, checkTask, createTask, refuseChange, refuseLaunchDate } from './write.ts'

export function bindTasks(
  bind: Bind,
  bindStaged: BindStaged,
  { database, config, cursors }: Services,
  { entering, barring }: { entering: Entering; barring: Barring },
): void {
  const changing = { nameTemplate: config.nameTemplate, entering }

  bind(routes.createTask, async ({ db, body, actor }) => answerOf(await createTask(db, body, actor, changing)))

  const turnsToRead = turnsOfReads()
  bindStaged(routes.getTask, async ({ onceSent }) => async ({ db, params, query }) => {
    const asked = { id: params.task_id, included: query.included === true, onceSent }
    const task = await readTaskInTurn(turnsToRead, db, asked)
    if (!task) throw notFound('task', params.task_id)
    // `volatile`: members that are derived from other records (such as `ad_id`, `comment_count` and the state of the automation) and
    // the included records change without a new revision.
    const tagged = { etag: etagOf(task.revision), volatile: true as const }
    if (!asked.included) return { data: json(task.text), ...tagged }
    const included = await readIncludes(db, params.task_id)
    return { data: json(`{"task":${task.text},"included":${included.text}}`), ...tagged }
  })

  bind(routes.patchTask, async ({ db, params, body, actor, requireMatch }) => {
    const patch = await checkTask(db, body, ['body'])
    const task = await lockTask(db, params.task_id)
    if (!task?.in_retention) throw notFound('task', params.task_id)
    refuseLaunchDate(task, patch, ['body'])
    requireMatch(task.revision)
    const refusal = refuseChange(task, task.id) ?? (await barring(db, [task], patch)).get(task.id)
    if (refusal) throw refusal
    await changeTasks(db, [task], patch, actor, changing)
    return answerTask(db, task.id)
  })

  bind(routes.deleteTask, async ({ db, params, actor, requireMatch }) => {
    const task = await lockTask(db, params.task_id)
    if (!task?.in_retention) throw notFound('task', params.task_id)
    requireMatch(task.revision)
    await deleteTask(db, task, actor)
    return answerTask(db, task.id)
  })

  bind(routes.restoreTask, async ({ db, params, actor, requireMatch }) => {
    await restoreTask(db, params.task_id, actor, requireMatch)
    return answerTask(db, params.task_id)
  })

  bind(routes.listActivity, async ({ db, params: { task_id }, query }) => {
    if (!(await hasTask(db, task_id))) throw notFound('task', task_id)
    return listPage(
      { cursors, scope: `activity/${task_id}`, query },
      (after, take) => listActivity(db, task_id, after, take),
      { text: ({ text }) => text, position: ({ id, at }) => ({ key: at, id }) },
    )
  })

  const turns = turnsOfChanges()
  bindStaged(routes.bulkPatchTasks, async ({ body, actor, onceSent }) => {
    onceSent(await turnOfChange(turns, database.main, body))
    return async ({ db }) =>
      answerOfBulk(db, database.main, await changeInBulk(db, body.ids, body.patch, actor, { ...changing, barring }))
  })
}

const answerTask = async (db: Db, id: string): Promise<Answer> => answerOf(await theTask(db, id))

const answerOf = ({ text, revision }: TaskText): Answer => ({ data: json(text), etag: etagOf(revision) })
