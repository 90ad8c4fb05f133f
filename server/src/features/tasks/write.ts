// In charge of creating and changing tasks within the caller's transaction: locking them, deciding what changes, and writing it.
import { nullMembers, type TaskCreate, type TaskPatch } from '@atelier/contract/tasks.ts'
import { Invalid, notFound, Refusal, type ValidationError } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { turn } from '../../engine/model/turns.ts'
import { type Actor, authorOf } from '../../platform/actor.ts'
import type { Config } from '../../platform/config.ts'
import { type Db, together } from '../../platform/db.ts'
import { isUuid } from '../../platform/ids.ts'
import { writeNotices } from '../../platform/notices.ts'
import { insertActivity } from '../activity/store.ts'
import {
  type Changes,
  decideChange,
  derivedNames,
  describeChanges,
  launchedByHand,
  reachesCreatives,
  type TaskRow,
  variantClashes,
} from './changes.ts'
import { rollUp, startWork } from './creatives/store.ts'
import { lockInParts, writeInParts } from './large-tasks.ts'
import { firstPackLaunches } from './launches/store.ts'
import { checkReferences } from './reference-store.ts'
import {
  type Barring,
  drawNumber,
  type Entering,
  insertTask,
  type LockedTask,
  readProductCodes,
  refreshCounts,
  seeTasks,
  type TaskText,
  theTask,
  updateTask,
} from './store.ts'

/**
 * `entering` starts the automations of a status. It is left out for the demo's past events, and when an automation moves a task:
 * then no automation starts, and people are not notified that a task was assigned to them.
 */
export type Changing = Pick<Config, 'nameTemplate'> & { entering?: Entering }

/** The values that the members of a new task have if the request does not set them. */
const blank: Omit<TaskRow, 'id' | 'number' | 'name' | 'name_key' | 'created_at' | 'updated_at'> = {
  ...nullMembers,
  revision: 1,
  schema_version: 3,
  generated_name: null,
  search_text: '',
  planned_creative_names: [],
  planned_creatives_done: [],
  status: 'backlog',
  test_status: 'not_tested',
  source: 'META',
  creation_points: null,
  execution_points: null,
  started_at: null,
  submitted_at: null,
  completed_at: null,
  status_entered_at: null,
  time_in_progress_seconds: 0,
  time_on_check_seconds: 0,
  return_count: 0,
  manual_launch: false,
  ad_id: null,
  varied_elements: [],
  source_creative_ids: [],
  is_legacy: false,
  subtopics: [],
  variants: [],
  automation_state: null,
  automation_error: null,
  automation_started_at: null,
  automation_ran_at: null,
  comment_count: 0,
  creatives_total: 0,
  creatives_done: 0,
  deleted_at: null,
  delete_id: null,
}

/** Columns that the database computes from other columns; an insert must not contain them. */
const computed = ['name_key', 'creation_points', 'execution_points'] as const

/**
 * Checks the references and variants in a request, and returns the request with references in lower case. Throws `Invalid` with all
 * errors that do not depend on the task, and with the given ones.
 */
export const checkTask = <Body extends TaskPatch>(
  db: Db,
  body: Body,
  at: (string | number)[],
  errors: readonly ValidationError[] = [],
): Promise<Body> => checkReferences(db, body, at, [...variantClashes(body, at), ...errors])

/**
 * Creates a task and returns its record, in two round trips to the database: the first one checks references and draws the task
 * number, the second one writes. If the request is refused after the first, the number stays unused. If an automation has started,
 * one more round trip reads the record again.
 */
export async function createTask(
  tx: Db,
  given: TaskCreate,
  actor: Actor,
  { nameTemplate, entering }: Changing,
): Promise<TaskText> {
  const productId = given.product_id ?? null
  const [body, { number, now, product }] = await together([
    checkTask(tx, given, ['body'], launchDateErrors({ manual_launch: false }, given, ['body'])),
    drawNumber(tx, productId !== null && isUuid(productId) ? productId : null),
  ])
  const id = uuidv7()
  const dates = { created_at: now, updated_at: now, status_entered_at: now }
  const start: TaskRow = { ...blank, ...dates, id, number, name: body.name, name_key: '' }
  const row = { ...start, ...decideChange(start, body, now, { template: nameTemplate, product }) }
  const whole: Partial<TaskRow> = { ...row, ...derivedNames(row, { template: nameTemplate, product }) }
  for (const member of computed) delete whole[member]
  const [, , , hasFollowed, written] = await together([
    insertTask(tx, whole),
    insertActivity(tx, actor, [{ task_id: id, kind: 'task_created' }]),
    entering ? noteResponsible(tx, [{ task: { id }, changed: row }], actor) : null,
    entering ? entering(tx, [id], row.status, actor) : false,
    theTask(tx, id),
  ])
  return hasFollowed ? theTask(tx, id) : written
}

export type Failure = { id: string; code: string; detail: string }

/** Returns why a task cannot be changed, or null if it can be. Changes of one task and bulk changes share these rules. */
export function refuseChange(task: LockedTask | undefined, id: string): Refusal | null {
  if (!task?.in_retention) return notFound('task', id)
  if (task.deleted_at !== null) {
    return new Refusal('task_deleted', `The task ${task.number} is deleted; restore it before you change it.`)
  }
  return null
}

type OfLaunch = Pick<TaskRow, 'manual_launch'>

/** Throws if a patch sets the launch date of a task without `manual_launch`. */
export function refuseLaunchDate(task: OfLaunch, patch: TaskPatch, at: (string | number)[]): void {
  const errors = launchDateErrors(task, patch, at)
  if (errors.length > 0) throw new Invalid(errors)
}

function launchDateErrors(task: OfLaunch, patch: TaskPatch, at: (string | number)[]): ValidationError[] {
  if (launchedByHand(task, patch)) return []
  const why = 'launched_at follows from recorded launches; set manual_launch to keep it by hand'
  return [errorAt([...at, 'launched_at'], valueError(why), patch.launched_at)]
}

/** Applies the same patch to locked tasks that are not deleted. */
export async function changeTasks(
  tx: Db,
  tasks: readonly LockedTask[],
  patch: TaskPatch,
  actor: Actor,
  changing: Changing,
): Promise<void> {
  const { changes, last } = await writeChanges(tx, tasks, patch, changing.nameTemplate)
  await follow(tx, changes, last, { patch, actor, entering: changing.entering })
}

/** What the data that depends on a changed task is made from. Without the task's own values, which may have megabytes. */
type Changed = {
  task: Pick<LockedTask, 'id' | 'now'>
  changed: Responsible
  moved: boolean
  /** Whether its creatives are affected, whether work on it begins, and whether its creatives have to be counted. */
  rolled: boolean
  started: boolean
  recounted: boolean
  told: Changes
}

/** Writes each task's columns by a statement for that task. Returns also the last of these writes, which are not done yet. */
async function writeChanges(
  tx: Db,
  tasks: readonly LockedTask[],
  patch: TaskPatch,
  template: Changing['nameTemplate'],
): Promise<{ changes: Changed[]; last: Promise<unknown> }> {
  const changes: Changed[] = []
  const { last } = await writeInParts(
    decideChanges(tx, tasks, patch, template),
    bytesOf(patch),
    ({ task, changed }) => {
      const { assignee_id = null, task_owner_id = null } = changed
      changes.push({
        task: { id: task.id, now: task.now },
        changed: { assignee_id, task_owner_id },
        moved: changed.status !== undefined,
        rolled: reachesCreatives(changed),
        started: changed.status === 'in_progress',
        recounted: 'variants' in changed || 'planned_creative_names' in changed,
        told: describeChanges(task, changed),
      })
      return updateTask(tx, task.id, changed, task.now)
    },
  )
  return { changes, last }
}

type Following = { patch: TaskPatch; actor: Actor; entering: Entering | undefined }

/**
 * Writes the data that depends on changed tasks (rollup, counters, activity, notices), for all of them together by one statement of
 * each kind. Statements that do not depend on each other, or on the tasks' `updates`, are sent at the same time.
 */
async function follow(
  tx: Db,
  changes: readonly Changed[],
  updates: Promise<unknown>,
  { patch, actor, entering }: Following,
): Promise<void> {
  const idsWhere = (chosen: (change: Changed) => boolean) => changes.filter(chosen).map(({ task }) => task.id)
  const rolled = idsWhere((change) => change.rolled)
  const started = idsWhere((change) => change.started)
  const recounted = idsWhere((change) => change.recounted)
  if (rolled.length + started.length + recounted.length > 0) {
    await updates
    if (rolled.length > 0) await rollUp(tx, rolled)
    if (started.length > 0) await startWork(tx, started, changes[0]?.task.now ?? '')
    if (recounted.length > 0) await refreshCounts(tx, recounted)
  }
  const moved = idsWhere((change) => change.moved)
  const entries = changes.map(({ task, moved, told }) => ({
    task_id: task.id,
    kind: moved ? 'task_moved' : 'task_changed',
    changes: told,
  }))
  await together([
    updates,
    insertActivity(tx, actor, entries),
    entering ? noteResponsible(tx, changes, actor) : null,
    moved.length > 0 && patch.status !== undefined ? entering?.(tx, moved, patch.status, actor) : null,
  ])
}

/** Returns a function that says about how many bytes the update of a task sends: the members of the patch, and names made from them. */
function bytesOf(patch: TaskPatch): (change: { changed: Partial<TaskRow> }) => number {
  const given = JSON.stringify(patch).length
  return ({ changed: { planned_creative_names: [name = '', ...others] = [] } }) =>
    given + name.length * (others.length + 1)
}

/** Decides what a patch changes in each task; tasks in which it changes nothing are left out. */
async function* decideChanges(
  tx: Db,
  tasks: readonly LockedTask[],
  patch: TaskPatch,
  template: Changing['nameTemplate'],
): AsyncGenerator<{ task: LockedTask; changed: Partial<TaskRow> }> {
  const byHand = patch.manual_launch === false ? tasks.filter(({ manual_launch }) => manual_launch) : []
  const [products, launches] = await together([
    readProductCodes(tx, [...new Set(tasks.flatMap((task) => patch.product_id ?? task.product_id ?? []))]),
    firstPackLaunches(
      tx,
      byHand.map(({ id }) => id),
    ),
  ])
  for (const [place, task] of tasks.entries()) {
    // Building ten thousand planned names takes 12 ms, and a bulk change may do that for each of a hundred tasks.
    if (place > 0) await turn()
    const productId = patch.product_id === undefined ? task.product_id : patch.product_id
    const product = productId === null ? null : (products.get(productId) ?? null)
    // A launch date that people no longer set follows from recorded launches again.
    const derived = byHand.includes(task) ? { launched_at: launches.get(task.id) ?? null } : {}
    const changed = decideChange(task, { ...patch, ...derived }, task.now, { template, product })
    if (Object.keys(changed).length > 0) yield { task, changed }
  }
}

type Responsible = Partial<Pick<TaskRow, 'assignee_id' | 'task_owner_id'>>

/** Notifies the people who have become the assignee or the owner of a task. */
const noteResponsible = (
  tx: Db,
  changes: readonly { task: { id: string }; changed: Responsible }[],
  actor: Actor,
): Promise<void> =>
  writeNotices(
    tx,
    changes.map(({ task: { id }, changed }) => {
      const people = [changed.assignee_id ?? null, changed.task_owner_id ?? null]
      return { kind: 'assigned', people, place: id, task_id: id, by: authorOf(actor) }
    }),
  )

/**
 * Applies a patch to many tasks, and reads no more of them at a time than one statement does: a hundred of the largest would not
 * fit into memory. Each task that cannot be changed is returned in `failed`, under its id as the request spells it; all others are
 * changed. Both are in the order of the request.
 */
export async function changeInBulk(
  tx: Db,
  ids: readonly string[],
  given: TaskPatch,
  actor: Actor,
  { nameTemplate, entering, barring }: Changing & { barring: Barring },
): Promise<{ updated: string[]; failed: Failure[] }> {
  const patch = await checkTask(tx, given, ['body', 'patch'])
  const parts = await lockInParts(tx, ids.filter(isUuid))
  const refusals = new Map<string, Refusal | null>()
  const changes: Changed[] = []
  let updates: Promise<unknown> = Promise.resolve()
  for (const [place, part] of parts.entries()) {
    await updates
    if (place > 0) await turn()
    const tasks = await seeTasks(tx, part)
    for (const task of tasks) refusals.set(task.id, refuseInBulk(task, patch))
    const allowed = () => tasks.filter(({ id }) => refusals.get(id) === null)
    for (const [id, refusal] of await barring(tx, allowed(), patch)) refusals.set(id, refusal)
    const written = await writeChanges(tx, allowed(), patch, nameTemplate)
    changes.push(...written.changes)
    updates = written.last
  }
  await follow(tx, changes, updates, { patch, actor, entering })
  const failed = ids.flatMap((id) => {
    const refusal = refusals.get(id.toLowerCase())
    if (refusal === null) return []
    const { code, message: detail } = refusal ?? notFound('task', id)
    return [{ id, code, detail }]
  })
  const updated = ids.map((id) => id.toLowerCase()).filter((id) => refusals.get(id) === null)
  return { updated: [...new Set(updated)], failed }
}

function refuseInBulk(task: LockedTask, patch: TaskPatch): Refusal | null {
  const refusal = refuseChange(task, task.id)
  if (refusal || launchedByHand(task, patch)) return refusal
  return new Refusal('launch_recorded', 'launched_at follows from recorded launches; set manual_launch.')
}
