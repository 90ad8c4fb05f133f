// In charge of the demo workspace: plays the stories of its tasks in the order they happened, each step through the
// product's own writer at the time of the step, so that names, rollups, counters and activity are what the product makes.
import { roleScopes } from '@atelier/contract/enums.ts'
import type { TaskPatch } from '@atelier/contract/tasks.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../platform/actor.ts'
import type { Config } from '../../platform/config.ts'
import type { Database, Db } from '../../platform/db.ts'
import type { Stamp } from '../../platform/tables.ts'
import { countComments } from '../comments/store.ts'
import { lockCreative } from '../creatives/store.ts'
import { changeCreative, createCreative, deleteCreative, type Owned } from '../creatives/write.ts'
import { deleteTask } from '../tasks/restore.ts'
import { insertActivity, type LockedTask, lockTask } from '../tasks/store.ts'
import { changeTasks, createTask } from '../tasks/write.ts'
import { deadlineOf, momentOf } from './calendar.ts'
import { demoPeople, demoProducts, demoTasks } from './content.ts'
import { fitting } from './fitting.ts'
import {
  backdateActivity,
  backdateRollups,
  backdateTask,
  ensurePerson,
  ensureProduct,
  hasTasks,
  insertComment,
  type Mark,
  nameOfCreative,
  readNow,
  takeTurn,
} from './store.ts'
import type { CreativeKey, DemoTask, Making, PersonKey, ProductKey, Step } from './story.ts'

/** Working days ago that the team and its products came to the workspace: before the first task. */
const opening = 40

type Settings = Pick<Config, 'vocabulary' | 'nameTemplate' | 'retention'>

/** What the stories are played on: who and what there is, and what they have made so far, by the keys of the content. */
type Stage = {
  tx: Db
  config: Settings
  now: Stamp
  actors: Record<PersonKey, Actor>
  products: Record<ProductKey, string>
  tasks: Map<string, string>
  creatives: Map<string, string>
}

/** A step of a task's story, or, with null, its creation. */
type Scene = { at: Stamp; task: DemoTask; step: Step | null }
type Said = Extract<Step, { kind: 'say' }>
/** A step that changes the task or its creatives, and so needs it locked. */
type Act = Exclude<Step, Said>

/** Puts the demo workspace into a database that has no tasks, deleted ones included. Returns whether it did. */
export async function seedDemo(database: Database, config: Settings): Promise<boolean> {
  return database.tx(async (tx) => {
    await takeTurn(tx)
    if (await hasTasks(tx)) return false
    const stage = await setStage(tx, config)
    const marks: Mark[] = []
    for (const scene of scenesOf(demoTasks, stage.now)) marks.push(await play(stage, scene))
    await backdateActivity(tx, marks)
    await backdateRollups(tx, stage.now)
    return true
  })
}

async function setStage(tx: Db, config: Settings): Promise<Stage> {
  const now = await readNow(tx)
  const since = momentOf(now, opening, '09:00')
  const actor = async (key: PersonKey): Promise<Actor> => {
    const userId = await ensurePerson(tx, demoPeople[key], since)
    const { name } = demoPeople[key]
    return { tokenId: null, userId, role: 'writer', name, scopes: new Set(roleScopes.writer) }
  }
  const product = (key: ProductKey) => ensureProduct(tx, demoProducts[key], since)
  return {
    tx,
    config,
    now,
    actors: {
      maren: await actor('maren'),
      ilse: await actor('ilse'),
      teo: await actor('teo'),
      kofi: await actor('kofi'),
      priya: await actor('priya'),
    },
    products: {
      quiltern: await product('quiltern'),
      tuckerfen: await product('tuckerfen'),
      verbanook: await product('verbanook'),
    },
    tasks: new Map(),
    creatives: new Map(),
  }
}

/** All stories as one, in the order of time: numbers rise with dates, and what a task refers to is there before it. */
function scenesOf(tasks: readonly DemoTask[], now: Stamp): Scene[] {
  const scenes = tasks.flatMap((task): Scene[] => [
    { at: momentOf(now, task.created[0], task.created[1]), task, step: null },
    ...task.steps.map((step) => ({ at: momentOf(now, step.day, step.time), task, step })),
  ])
  return scenes.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** Plays a scene; returns where in the activity it begins. */
async function play(stage: Stage, { at, task, step }: Scene): Promise<Mark> {
  const from = uuidv7()
  if (step === null) await begin(stage, task, at)
  const task_id = found(stage.tasks, task.key)
  if (step?.kind === 'say') await say(stage, task_id, step, at)
  else if (step !== null) {
    const locked = await lockTask(stage.tx, task_id, stage.config.retention.seconds)
    if (!locked) throw new Error(`The demo's task ${task.key} is gone from its own transaction.`)
    // The writers take the time from the locked row: this is how a step happens in the past.
    await act(stage, task, { ...locked, now: at }, step)
  }
  return { task_id, from, at }
}

async function begin(stage: Stage, task: DemoTask, at: Stamp): Promise<void> {
  const { tx, config, actors, products, creatives, now } = stage
  const person = (key: PersonKey | undefined) => (key === undefined ? null : actors[key].userId)
  const body = fitting(
    {
      name: task.name,
      ...task.media,
      ...task.work,
      ...task.says,
      product_id: products[task.product],
      assignee_id: person(task.assignee),
      task_owner_id: person(task.owner ?? 'maren'),
      deadline_at: task.due === undefined ? null : deadlineOf(now, task.due),
      origin_creative_id: task.origin === undefined ? null : found(creatives, task.origin),
      source_creative_ids: (task.sources ?? []).map((key) => found(creatives, key)),
    },
    config.vocabulary,
  )
  const id = await createTask(tx, body, actors[task.created[2]], config)
  await backdateTask(tx, id, at)
  stage.tasks.set(task.key, id)
}

async function act(stage: Stage, story: DemoTask, task: LockedTask, step: Act): Promise<void> {
  const { tx, config, actors } = stage
  const actor = actors[step.by]
  const change = (patch: TaskPatch) => changeTasks(tx, [task], patch, actor, config)
  switch (step.kind) {
    case 'move':
      return change({ status: step.to })
    case 'change':
      return change(fitting(step.patch, config.vocabulary))
    case 'launch':
      return change({ manual_launch: true, launched_at: task.now, test_status: 'in_test' })
    case 'accept':
      return change({ variants: task.variants.map((it) => accepted(it, step.variants)) })
    case 'make':
      return makeCreatives(stage, story, task, step.creatives, actor)
    case 'finish':
      for (const place of step.creatives) {
        await changeCreative(tx, await owned(stage, story, task, place), { completed: true }, actor)
      }
      return
    case 'discard':
      return deleteCreative(tx, await owned(stage, story, task, step.creative), actor)
    case 'remove':
      return deleteTask(tx, task, actor)
    default:
      throw new Error(`The demo has a step of an unknown kind: ${JSON.stringify(step satisfies never)}`)
  }
}

const accepted = <Variant extends { variation_num: number }>(variant: Variant, chosen: readonly number[]): Variant =>
  chosen.includes(variant.variation_num) ? { ...variant, completed: true } : variant

async function makeCreatives(
  { tx, config, creatives }: Stage,
  story: DemoTask,
  task: LockedTask,
  makings: readonly Making[],
  actor: Actor,
): Promise<void> {
  let place = 0
  while (creatives.has(`${story.key}/${place + 1}`)) place++
  for (const making of makings) {
    const { variant, tags, named_like } =
      typeof making === 'object' && making !== null
        ? making
        : { variant: making, tags: undefined, named_like: undefined }
    const body = {
      variation_num: variant,
      assignee_id: actor.userId,
      task_owner_id: task.task_owner_id,
      ...(tags === undefined ? {} : { tags }),
      ...(named_like === undefined ? {} : { name: await nameOfCreative(tx, found(creatives, named_like)) }),
    }
    place++
    creatives.set(`${story.key}/${place}`, await createCreative(tx, task, body, actor, config.nameTemplate))
  }
}

/** A creative of a locked task, locked as well. */
async function owned({ tx, creatives }: Stage, { key }: DemoTask, task: LockedTask, place: number): Promise<Owned> {
  const creative = await lockCreative(tx, found(creatives, `${key}/${place}` satisfies CreativeKey))
  if (!creative) throw new Error(`The demo's creative ${key}/${place} is gone from its own transaction.`)
  return { creative, task }
}

async function say({ tx, actors }: Stage, taskId: string, { by, text }: Said, at: Stamp): Promise<void> {
  const id = uuidv7()
  await insertComment(tx, { id, task_id: taskId, by_user: actors[by].userId, text }, at)
  await countComments(tx, taskId)
  await insertActivity(tx, actors[by], [{ task_id: taskId, kind: 'comment_added', subject_id: id }])
}

function found(ids: ReadonlyMap<string, string>, key: string): string {
  const id = ids.get(key)
  if (id === undefined) throw new Error(`The demo speaks of ${key} before it is there.`)
  return id
}
