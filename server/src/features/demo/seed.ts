// In charge of seeding the demo workspace. The functions that serve requests also execute the steps of the demo's stories, in the
// order of the steps' times; so names, counters and activity are as if people had done the work. Each step gets a time in the past.

import type { TaskPatch } from '@atelier/contract/tasks.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../platform/actor.ts'
import { takeLock } from '../../platform/advisory-locks.ts'
import type { Database } from '../../platform/db.ts'
import type { FileStore } from '../../platform/file-store.ts'
import type { Stamp } from '../../platform/tables.ts'
import { addComment } from '../comments/write.ts'
import { deleteCreative, lockOwned } from '../tasks/creatives/write.ts'
import { recordCreativeLaunches, recordPackLaunches } from '../tasks/launches/record.ts'
import { deleteTask } from '../tasks/restore.ts'
import { type Entering, type LockedTask, lockTask } from '../tasks/store.ts'
import { changeTasks, createTask } from '../tasks/write.ts'
import { addAutomation, addGraphs } from './automating.ts'
import { deadlineOf, momentOf } from './calendar.ts'
import { demoTasks } from './content.ts'
import { creativesAt, finishCreatives, makeCreatives, settleCreatives } from './creatives.ts'
import { fitting } from './fitting.ts'
import { keepAds, keepApproved } from './picture.ts'
import { found, type Settings, type Stage, setStage } from './stage.ts'
import { backdateActivity, backdateRecords, backdateTask, hasTasks, type Mark } from './store.ts'
import type { DemoTask, PersonKey, Step } from './story.ts'
import { addTemplates } from './templates.ts'

/** A step of a task's story, and its time. A `step` of null means that the task is created. */
type Scene = { at: Stamp; task: DemoTask; step: Step | null }
type Launched = Extract<Step, { kind: 'launch' }>
/** A step that is not a comment. It changes the task or its creatives, so the task has to be locked before it is executed. */
type Act = Exclude<Step, { kind: 'say' }>

/** The store for files, and the function that starts automations when a task enters a status. */
type Given = { files: FileStore; entering: Entering }

/** Seeds the demo workspace if the database has no tasks, not even deleted ones. Returns whether the workspace was seeded. */
export async function seedDemo(database: Database, config: Settings, { files, entering }: Given): Promise<boolean> {
  if (await hasTasks(database.main)) return false
  const [approved, ads] = await Promise.all([keepApproved(files), keepAds(files)])
  return database.tx(async (tx) => {
    // If several processes start at the same time, the lock lets only the first one seed the demo; the others then find its tasks.
    await takeLock(tx, 'demo')
    if (await hasTasks(tx)) return false
    const stage = await setStage(tx, config, ads)
    const marks: Mark[] = []
    for (const scene of scenesOf(demoTasks, stage.now)) marks.push(await play(stage, scene))
    marks.push(await addAutomation(stage, await addGraphs(stage, approved), entering))
    await addTemplates(stage)
    await settleCreatives(stage)
    await backdateActivity(tx, marks)
    await backdateRecords(tx, stage.now)
    return true
  })
}

/**
 * Returns the steps of all stories in the order of their times, so that tasks which are created later get higher numbers, and each
 * step finds the records that earlier steps have made.
 */
function scenesOf(tasks: readonly DemoTask[], now: Stamp): Scene[] {
  const scenes = tasks.flatMap((task): Scene[] => [
    { at: momentOf(now, task.created[0], task.created[1]), task, step: null },
    ...task.steps.map((step) => ({ at: momentOf(now, step.day, step.time), task, step })),
  ])
  return scenes.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** Executes one step, and returns a mark, with which `backdateActivity` finds the activity entries that the step wrote. */
async function play(stage: Stage, { at, task, step }: Scene): Promise<Mark> {
  const from = uuidv7()
  if (step === null) await begin(stage, task, at)
  const task_id = found(stage.tasks, task.key)
  if (step?.kind === 'say') await addComment(stage.tx, { taskId: task_id, text: step.text, at }, stage.actors[step.by])
  else if (step !== null) {
    const locked = await lockTask(stage.tx, task_id)
    if (!locked) throw new Error(`The demo's task ${task.key} is gone from its own transaction.`)
    // The functions that execute a step take the present time from the locked task; so a `now` in the past dates the step back.
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
      product_id: products[task.product].id,
      assignee_id: person(task.assignee),
      task_owner_id: person(task.owner ?? 'maren'),
      deadline_at: task.due === undefined ? null : deadlineOf(now, task.due),
      origin_creative_id: task.origin === undefined ? null : found(creatives, task.origin).id,
      source_creative_ids: (task.sources ?? []).map((key) => found(creatives, key).id),
    },
    config.vocabulary,
  )
  const { id } = await createTask(tx, body, actors[task.created[2]], config)
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
      return launchAll(stage, story, task, step, actor)
    case 'accept':
      return change({ variants: task.variants.map((variant) => accepted(variant, step.variants)) })
    case 'make':
      return makeCreatives(stage, story, task, step.creatives, actor)
    case 'finish':
      return finishCreatives(stage, task, creativesAt(stage, story, step.creatives), actor)
    case 'discard':
      for (const { id } of creativesAt(stage, story, [step.creative])) {
        await deleteCreative(tx, { ...(await lockOwned(tx, id)), task }, actor)
      }
      return
    case 'remove':
      return deleteTask(tx, task, actor)
    default:
      throw new Error(`The demo has a step of an unknown kind: ${JSON.stringify(step satisfies never)}`)
  }
}

const accepted = <Variant extends { variation_num: number }>(variant: Variant, chosen: readonly number[]): Variant =>
  chosen.includes(variant.variation_num) ? { ...variant, completed: true } : variant

async function launchAll(
  stage: Stage,
  story: DemoTask,
  task: LockedTask,
  { ad_id, creatives }: Launched,
  actor: Actor,
): Promise<void> {
  const { tx } = stage
  const launch = { ad_id, launched_at: task.now }
  if (creatives.length === 0) {
    await recordPackLaunches(tx, { launches: [{ task_id: task.id, ...launch }] }, actor)
  } else {
    const launches = creativesAt(stage, story, creatives).map(({ name }) => ({ name, ...launch }))
    await recordCreativeLaunches(tx, { launches }, actor)
  }
}
