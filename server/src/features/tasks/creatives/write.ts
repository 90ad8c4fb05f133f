// In charge of writing single creatives. Each write locks the task and then the creative, and decides what to change.
import { isDeepStrictEqual } from 'node:util'
import type { CreativeCreate, CreativePatch } from '@atelier/contract/creatives.ts'
import { creativeNames, type NameTemplate, plannedNames } from '@atelier/contract/names.ts'
import { notFound, Refusal } from '@atelier/contract/wire/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../../platform/actor.ts'
import { type Db, isUniqueViolation, Retry, retentionOf } from '../../../platform/db.ts'
import { tellReadersAbout } from '../../../platform/notices.ts'
import { goneOrUnknown, retentionOver } from '../../../platform/retention.ts'
import { insertActivity } from '../../activity/store.ts'
import { claimLaunches } from '../launches/store.ts'
import { type LockedTask, lockTask, readProductCodes, refreshCounts } from '../store.ts'
import {
  type CreativeRow,
  insertCreative,
  keepFirstVersion,
  lockCreative,
  namesOf,
  rollUp,
  takenNames,
  taskOf,
  updateCreative,
  whoHasName,
} from './store.ts'
import { signVersion } from './versions.ts'

export type Owned = { creative: CreativeRow; task: LockedTask }

/**
 * Locks a creative's task and then the creative. Throws a 404 if one of them is missing, or was deleted longer ago than the
 * retention window.
 */
export async function lockOwned(tx: Db, id: string): Promise<Owned> {
  const taskId = await taskOf(tx, id)
  const task = taskId === undefined ? undefined : await lockTask(tx, taskId)
  const creative = task && (await lockCreative(tx, id))
  if (!task?.in_retention || !creative) throw notFound('creative', id)
  if (creative.deleted_at !== null && isOver(tx, creative, task)) throw notFound('creative', id)
  return { creative, task }
}

const isOver = (tx: Db, { deleted_at }: CreativeRow, { now }: LockedTask): boolean =>
  deleted_at !== null && Date.parse(deleted_at) <= Date.parse(now) - retentionOf(tx) * 1000

const chooseAnother = 'Choose another.'
const renameFirst = 'Rename this one or the other (PATCH /creatives/{id}), then restore again.'

/** A name for a creative; `creativeId` is null if the creative is new. `advice`: what the caller can do if the name is taken. */
type Claim = { creativeId: string | null; name: string; advice: string }

/**
 * Executes a write that gives a creative a name. The unique index decides whether the name may be used; `whoHasName` is called only
 * so that the error can say which creative has it. If another creative gets the name after that call, the transaction is repeated.
 */
async function claimName(tx: Db, { creativeId, name, advice }: Claim, write: () => Promise<void>): Promise<void> {
  const taker = await whoHasName(tx, name)
  if (taker && taker.id !== creativeId) {
    throw new Refusal('creative_name_taken', `The name “${name}” belongs to another live creative. ${advice}`, {
      conflicts: [{ creative_id: creativeId, name, taken_by: taker.id, taken_by_task_id: taker.task_id }],
    })
  }
  try {
    await write()
  } catch (error) {
    if (isUniqueViolation(error, 'creatives_live_name')) throw new Retry('a name was taken meanwhile', { cause: error })
    throw error
  }
}

/**
 * Creates a creative on a locked task that is not deleted, and returns the creative's id. If the request has no name, `placeFinder`
 * finds one. If it has a name but no variant, the creative gets the variant for which this name is planned, or none.
 */
export async function createCreative(
  tx: Db,
  task: LockedTask,
  body: CreativeCreate,
  actor: Actor,
  template: NameTemplate,
): Promise<string> {
  const id = uuidv7()
  const { name, variation_num: variationNum } = await placeOf(tx, task, body, template)
  await claimName(tx, { creativeId: null, name, advice: chooseAnother }, () =>
    insertCreative(tx, {
      id,
      task_id: task.id,
      name,
      variation_num: variationNum,
      own_tags: body.tags ?? null,
      file: body.file ?? null,
      completed: body.completed ?? false,
      assignee_id: body.assignee_id ?? null,
      task_owner_id: body.task_owner_id ?? null,
      in_work_at: task.status === 'in_progress' ? task.now : null,
      now: task.now,
    }),
  )
  if (body.file) await keepFirstVersion(tx, id, actor)
  await settle(tx, task.id)
  await claimLaunches(tx, task, [name])
  await insertActivity(tx, actor, [
    { task_id: task.id, kind: 'creative_created', subject_id: id, changes: { name: { from: null, to: name } } },
  ])
  return id
}

/** A name for a creative, and the number of its variant; null if it belongs to no variant. */
export type Place = { name: string; variation_num: number | null }

/** The variant that is wanted for a new creative; null: no variant; undefined: the variant of the next planned name. */
export type WantedVariant = number | null | undefined

async function placeOf(tx: Db, task: LockedTask, body: CreativeCreate, template: NameTemplate): Promise<Place> {
  const { name, variation_num } = body
  if (name === undefined) {
    const findPlaces = finders.get(task) ?? (await placeFinder(tx, task, template))
    finders.set(task, findPlaces)
    const [place] = await findPlaces([variation_num])
    if (!place) throw new Error('There is a place for each that is wanted.')
    return place
  }
  if (variation_num !== undefined) return { name, variation_num }
  const planned = plannedNames(template, await nameInputOf(tx, task)).find((one) => one.name === name)
  return { name, variation_num: planned?.variation_num ?? null }
}

/** Returns a name and a variant for each new creative, in the order of `wanted`, as `placeFinder` finds them. */
export async function nextPlaces(
  db: Db,
  task: LockedTask,
  wanted: readonly WantedVariant[],
  template: NameTemplate,
): Promise<Place[]> {
  const findPlaces = await placeFinder(db, task, template)
  return findPlaces(wanted)
}

type FindPlaces = (wanted: readonly WantedVariant[]) => Promise<Place[]>

/**
 * The finder of each locked task to which a transaction adds creatives. An export adds hundreds of them; to read all names of the
 * task anew for each would take longer than all else. No finder outlives its transaction, which locks, and thereby reads, its task.
 */
const finders = new WeakMap<LockedTask, FindPlaces>()

/**
 * Returns a function that finds a name and a variant for each new creative, in the order of `wanted`, and never the same name twice.
 * A creative whose element in `wanted` is undefined gets the next planned name that is not in use; if none is left, a name without a
 * variant. A name is in use if it belongs to a creative that is not deleted, or to a deleted creative of this task.
 */
async function placeFinder(db: Db, task: LockedTask, template: NameTemplate): Promise<FindPlaces> {
  const input = await nameInputOf(db, task)
  const taken = await namesOf(db, task.id)
  const isTaken = (name: string) => taken.has(name)
  const nextNames = new Map<number | null, () => string>()
  let planned: Iterable<Place> | null = null
  const next = (variant: WantedVariant): Place => {
    if (variant === undefined) {
      planned ??= plannedNames(template, input).values()
      for (const { name, variation_num } of planned) if (!isTaken(name)) return { name, variation_num }
    }
    const variation_num = variant ?? null
    const nextName = nextNames.get(variation_num) ?? creativeNames(template, input, variation_num, isTaken)
    nextNames.set(variation_num, nextName)
    return { name: nextName(), variation_num }
  }
  return async (wanted) => {
    const places: Place[] = []
    let due = [...wanted.keys()]
    while (due.length > 0) {
      for (const at of due) {
        places[at] = next(wanted[at])
        taken.add(places[at].name)
      }
      // Creatives of other tasks may have some of these names. New creatives with such a name get another one in the next round.
      const elsewhere = await takenNames(
        db,
        due.flatMap((at) => places[at]?.name ?? []),
      )
      due = due.filter((at) => elsewhere.has(places[at]?.name ?? ''))
    }
    return places
  }
}

async function nameInputOf(db: Db, task: LockedTask) {
  const codes = task.product_id ? await readProductCodes(db, [task.product_id]) : null
  return { ...task, product: codes?.get(task.product_id ?? '') ?? null }
}

/** Changes a creative. Of a deleted creative only the name may change: a restore is refused while another creative has its name. */
export async function changeCreative(
  tx: Db,
  { creative, task }: Owned,
  patch: CreativePatch,
  actor: Actor,
): Promise<void> {
  const { tags, ...rest } = patch
  const wanted: Partial<CreativeRow> = { ...definedOnly(rest), ...(tags === undefined ? {} : { own_tags: tags }) }
  const was: Record<string, unknown> = creative
  const changed = Object.fromEntries(
    Object.entries(wanted).filter(([member, value]) => !isDeepStrictEqual(value, was[member])),
  )
  if (creative.deleted_at !== null) refuseAllButName(Object.keys(patch), task)
  if (Object.keys(changed).length === 0) return
  const write = () => updateCreative(tx, creative.id, changed, task.now)
  if (creative.deleted_at === null && patch.name !== undefined)
    await claimName(tx, { creativeId: creative.id, name: patch.name, advice: chooseAnother }, write)
  else await write()
  if (changed.file) await signVersion(tx, creative.id, actor)
  await settle(tx, task.id)
  if (creative.deleted_at === null && patch.name !== undefined && 'name' in changed)
    await claimLaunches(tx, task, [patch.name])
  const told = Object.entries(changed).map(([member, to]) => [
    member === 'own_tags' ? 'tags' : member,
    { from: was[member], to },
  ])
  await insertActivity(tx, actor, [
    { task_id: task.id, kind: 'creative_changed', subject_id: creative.id, changes: Object.fromEntries(told) },
  ])
}

const definedOnly = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T> // the result has only T's keys

function refuseAllButName(members: string[], task: LockedTask): void {
  if (members.every((member) => member === 'name')) return
  throw task.deleted_at === null
    ? new Refusal('creative_deleted', 'The creative is deleted: only its name may change. Restore it first.')
    : new Refusal('task_deleted', `The task ${task.number} is deleted: of its creatives only the name may change.`)
}

/** Deletes a single creative. Deleting its task later, and restoring the task, leaves this creative deleted. */
export async function deleteCreative(tx: Db, { creative, task }: Owned, actor: Actor): Promise<void> {
  if (creative.deleted_at !== null) return
  await updateCreative(tx, creative.id, { deleted_at: task.now, delete_id: uuidv7() }, task.now)
  await refreshCounts(tx, [task.id])
  // The deleted creative is in no list any more: its name here is how people know which one they could restore.
  const changes = { name: { from: creative.name, to: null } }
  await insertActivity(tx, actor, [{ task_id: task.id, kind: 'creative_deleted', subject_id: creative.id, changes }])
  await tellReadersAbout(tx, 'creative_id', creative.id)
}

/** Restores a creative that was deleted alone, not together with its task. Throws if the creative's task is deleted. */
export async function restoreCreative(
  tx: Db,
  id: string,
  actor: Actor,
  requireMatch: (revision: number) => void,
): Promise<void> {
  const taskId = await taskOf(tx, id)
  const task = taskId === undefined ? undefined : await lockTask(tx, taskId)
  const creative = task && (await lockCreative(tx, id))
  if (!task || !creative) throw await goneOrUnknown(tx, 'creative', id)
  if (!task.in_retention || isOver(tx, creative, task)) throw retentionOver('creative')
  requireMatch(creative.revision)
  if (creative.deleted_at === null) return
  if (task.deleted_at !== null) {
    throw new Refusal('task_deleted', `Its task ${task.number} is deleted; restore the task, then the creative.`)
  }
  const in_work_at = creative.in_work_at ?? (task.status === 'in_progress' ? task.now : null)
  const back = { deleted_at: null, delete_id: null, in_work_at }
  const claim = { creativeId: id, name: creative.name, advice: renameFirst }
  await claimName(tx, claim, () => updateCreative(tx, id, back, task.now))
  await settle(tx, task.id)
  await claimLaunches(tx, task, [creative.name])
  await insertActivity(tx, actor, [{ task_id: task.id, kind: 'creative_restored', subject_id: id }])
  await tellReadersAbout(tx, 'creative_id', id)
}

/** Called after a change to a task's creatives. Updates the members that creatives copy from the task, and the task's counters. */
async function settle(tx: Db, taskId: string): Promise<void> {
  await rollUp(tx, [taskId])
  await refreshCounts(tx, [taskId])
}
